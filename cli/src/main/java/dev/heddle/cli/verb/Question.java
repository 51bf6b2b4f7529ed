package dev.heddle.cli.verb;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Exit;
import dev.heddle.control.Control;

/** A command that asks once, or gives one order, and is done. */
abstract class Question extends Verb {

    private final Access.Intent intent;

    Question(Desk desk, Access.Intent intent) {
        super(desk);
        this.intent = intent;
    }

    @Override
    final Exit run() throws Exception {
        check();
        try (Access.Found found = new Access(desk()).open(intent)) {
            return ask(found.control());
        }
    }

    /** Refuses what can be seen to be wrong before anybody is asked. */
    void check() {}

    abstract Exit ask(Control control) throws Exception;
}
