package dev.heddle.cli.access;

import java.time.Duration;
import java.util.function.Function;

import dev.heddle.cli.shell.Screen;
import dev.heddle.control.OutputPiece;
import dev.heddle.control.OutputQuery;
import dev.heddle.run.Run.Channel;
import org.jspecify.annotations.Nullable;

/** Prints what a job's processes write, as it comes, each stream to its own. Asks for it piece by piece. */
public final class OutputTap {

    private final Screen screen;
    private final @Nullable Integer attempt;
    private final Position stdout = new Position(Channel.STDOUT);
    private final Position stderr = new Position(Channel.STDERR);
    private boolean dry;

    /** How far one stream was read. */
    private static final class Position {
        private final Channel channel;
        private int attempt;
        private long offset;
        private boolean last;

        Position(Channel channel) {
            this.channel = channel;
        }
    }

    /** Of one attempt, or, where it is null, of whichever is the last. */
    public OutputTap(Screen screen, @Nullable Integer attempt) {
        this.screen = screen;
        this.attempt = attempt;
    }

    /**
     * Prints what there is, after waiting up to the time for something.
     *
     * @return whether nothing will follow of this attempt
     */
    public boolean pour(Function<OutputQuery, OutputPiece> source, Duration wait) {
        boolean first = pour(stdout, source, wait);
        boolean second = pour(stderr, source, first ? Duration.ZERO : wait.dividedBy(10));
        dry = !first && !second;
        return dry && stdout.last && stderr.last;
    }

    /** Whether there was nothing the last time, though more may come. */
    public boolean isDry() {
        return dry;
    }

    /** Whether there was anything. */
    private boolean pour(Position position, Function<OutputQuery, OutputPiece> source, Duration wait) {
        OutputPiece piece = source.apply(new OutputQuery(attempt, position.channel, position.offset, wait));
        if (piece.attempt() != position.attempt) {
            boolean another = position.attempt != 0;
            position.attempt = piece.attempt();
            if (another) {
                // The next attempt has begun, and its output with it.
                position.offset = 0;
                return true;
            }
        }
        byte[] bytes = piece.bytes();
        screen.pass(bytes, position.channel == Channel.STDERR);
        position.offset = piece.next();
        position.last = piece.last();
        return bytes.length > 0;
    }
}
