package dev.heddle.cli.command;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.RawTerminal;
import dev.heddle.cli.shell.Terminal;
import dev.heddle.control.Control;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows types, queues, rates and times, again and again. */
@Command(name = "top", description = {"Show types, queues, rates and times live.",
    "Keys: q quits, p pauses, s or the arrows change the order. Prints once if the output is no terminal."})
final class TopCommand extends ControlCommand {

    private static final Duration REFRESH = Duration.ofSeconds(1);

    @Option(names = "--once", description = "Print once and exit.")
    private boolean once;

    private TopScreen.Order order = TopScreen.Order.QUEUED;
    private boolean paused;

    TopCommand(CliContext context) {
        super(context, Intent.READ);
    }

    @Override
    ExitCode execute(Control control) throws IOException, InterruptedException {
        if (once || !output().terminal().out() || !format().isTable()) {
            format().one(output(), control.stats(), stats -> new TopScreen(stats, control.nodes(), now())
                    .lines(output().terminal(), Integer.MAX_VALUE, order, null).forEach(output()::print));
            return ExitCode.OK;
        }
        try (RawTerminal terminal = RawTerminal.open(output())) {
            TopScreen screen = read(control);
            while (draw(terminal, screen)) {
                screen = paused ? screen : read(control);
            }
        }
        return ExitCode.OK;
    }

    private TopScreen read(Control control) {
        return new TopScreen(control.stats(), control.nodes(), now());
    }

    /** Draws until it is time to read again; returns false to quit. */
    private boolean draw(RawTerminal terminal, TopScreen screen) throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (true) {
            RawTerminal.Size size = terminal.size();
            Terminal shape = new Terminal(true, true, output().terminal().color(), size.columns());
            String keys = "q quit  p " + (paused ? "go on" : "pause") + "  ←→ order: "
                    + order.name().toLowerCase(Locale.ROOT);
            String hint = keys + "   times of the last hour, rates of the last minute";
            terminal.draw(
                    screen.lines(shape, size.rows(), order, hint.length() <= size.columns() ? hint : keys));
            RawTerminal.Key key = terminal.await(REFRESH.minusNanos(System.nanoTime() - began));
            switch (key) {
                case QUIT -> {
                    return false;
                }
                case NONE -> {
                    return true;
                }
                case PAUSE -> paused = !paused;
                case NEXT -> order = order.next(1);
                case PREVIOUS -> order = order.next(-1);
            }
        }
    }
}
