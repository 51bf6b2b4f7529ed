package dev.heddle.cli.verb;

import java.util.concurrent.Callable;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Format;
import dev.heddle.cli.shell.Screen;
import picocli.CommandLine.Mixin;

/** A command that prints data. */
abstract class Verb implements Callable<Integer> {

    private final Desk desk;

    @Mixin private final Format format = new Format();

    Verb(Desk desk) {
        this.desk = desk;
    }

    @Override
    public final Integer call() throws Exception {
        return run().code();
    }

    abstract Exit run() throws Exception;

    Desk desk() {
        return desk;
    }

    Screen screen() {
        return desk.screen();
    }

    Format format() {
        return format;
    }
}
