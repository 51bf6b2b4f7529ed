package dev.heddle.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.heddle.store.JobReader;
import dev.heddle.store.NodeRecord;
import org.jspecify.annotations.Nullable;

/** The calls that reached the store in a simulation, in the order of their commits. The model is compared with them. */
final class CommitLog {

    private static final Set<String> LOGGED = Set.of("join", "insert", "claim", "apply", "execute", "renew", "recover",
            "reserve", "unreserve", "adopt", "close");

    private final List<Commit> commits = new ArrayList<>();

    /** One call. */
    static final class Commit {
        final String call;
        final Object[] arguments;
        final @Nullable Object result;
        /** The id under which the node of this connection joined last. */
        final String node;
        /** The nodes that the store has afterwards, if the call may have changed them. */
        final Set<String> members;
        /** Whether the answer did not reach the node. */
        boolean lost;

        Commit(String call, Object[] arguments, @Nullable Object result, String node, Set<String> members) {
            this.call = call;
            this.arguments = arguments;
            this.result = result;
            this.node = node;
            this.members = members;
        }
    }

    /** Adds a call that has just been committed; whether its answer arrives shows later. */
    Commit add(String call, Object[] arguments, @Nullable Object result, String node, JobReader observer) {
        Commit commit = new Commit(call, arguments, result, node, call.equals("recover")
                ? observer.nodes().stream().map(NodeRecord::id).collect(Collectors.toSet()) : Set.of());
        if (LOGGED.contains(call)) {
            commits.add(commit);
        }
        return commit;
    }

    List<Commit> commits() {
        return commits;
    }
}
