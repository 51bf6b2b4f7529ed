package dev.heddle.cli.access;

import java.util.function.Function;

import dev.heddle.cli.access.Access.Found;
import dev.heddle.cli.access.Access.Intent;
import dev.heddle.cli.home.Sighting;
import dev.heddle.control.ControlException;
import org.jspecify.annotations.Nullable;

/**
 * Access for a command that looks again and again. It keeps its connection to a node, but never a store: a node may
 * want to start on it. So it also finds a node that starts meanwhile, and does without one that closes.
 */
public final class Lasting implements AutoCloseable {

    private final Desk desk;
    private final Access access;
    private @Nullable Found node;

    public Lasting(Desk desk) {
        this.desk = desk;
        this.access = new Access(desk);
    }

    /** Asks whoever is there now. */
    public <T> T ask(Function<Found, T> question) {
        if (node != null) {
            try {
                return question.apply(node);
            } catch (ControlException e) {
                if (e.kind() != ControlException.Kind.UNREACHABLE || isThere()) {
                    throw e;
                }
                close();
            }
        }
        Found found = access.open(Intent.LOOK);
        if (found.remote()) {
            node = found;
            return question.apply(found);
        }
        try (found) {
            return question.apply(found);
        }
    }

    private boolean isThere() {
        return Sighting.in(desk.place().home()) instanceof Sighting.Running;
    }

    @Override
    public void close() {
        if (node != null) {
            node.close();
            node = null;
        }
    }
}
