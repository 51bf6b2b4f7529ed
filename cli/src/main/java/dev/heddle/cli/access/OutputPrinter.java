package dev.heddle.cli.access;

import java.time.Duration;
import java.util.function.Function;

import dev.heddle.cli.shell.CliOutput;
import dev.heddle.control.model.OutputChunk;
import dev.heddle.control.model.OutputQuery;
import dev.heddle.run.Run.Channel;
import org.jspecify.annotations.Nullable;

/** Prints what the processes of a job write, as they write it: stdout to stdout, stderr to stderr. */
public final class OutputPrinter {

    private final Destination destination;
    private final @Nullable Integer attempt;
    private final Position stdout = new Position(Channel.STDOUT);
    private final Position stderr = new Position(Channel.STDERR);
    private boolean idle;

    /** Where the output goes, such as {@link CliOutput#copy}. */
    @FunctionalInterface
    public interface Destination {
        /** Takes bytes of standard output or standard error. */
        void write(byte[] bytes, boolean toErr);
    }

    /** How far one stream has been read. */
    private static final class Position {
        private final Channel channel;
        private int attempt;
        private long offset;
        private boolean last;

        Position(Channel channel) {
            this.channel = channel;
        }
    }

    /** Creates a printer for one attempt, or for the latest one if the attempt is null. */
    public OutputPrinter(Destination destination, @Nullable Integer attempt) {
        this.destination = destination;
        this.attempt = attempt;
    }

    /**
     * Prints the output that is available, and waits for some up to the given time if there is none.
     *
     * @return whether the output of this attempt is complete
     */
    public boolean printNext(Function<OutputQuery, OutputChunk> source, Duration wait) {
        boolean anyOut = printNext(stdout, source, wait);
        boolean anyErr = printNext(stderr, source, anyOut ? Duration.ZERO : wait.dividedBy(10));
        idle = !anyOut && !anyErr;
        return idle && stdout.last && stderr.last;
    }

    /** Returns whether the last call printed nothing. More may follow. */
    public boolean isIdle() {
        return idle;
    }

    private boolean printNext(Position position, Function<OutputQuery, OutputChunk> source, Duration wait) {
        OutputChunk piece = source.apply(new OutputQuery(attempt, position.channel, position.offset, wait));
        if (piece.attempt() != position.attempt) {
            boolean another = position.attempt != 0;
            position.attempt = piece.attempt();
            if (another) {
                // A new attempt has started; read its output from the start.
                position.offset = 0;
                return true;
            }
        }
        byte[] bytes = piece.bytes();
        destination.write(bytes, position.channel == Channel.STDERR);
        position.offset = piece.next();
        position.last = piece.last();
        return bytes.length > 0;
    }
}
