package dev.heddle.control.local;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;

import dev.heddle.access.Role;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.JobDraft;
import dev.heddle.job.Job;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Decides which jobs a caller may submit or retry. A job that carries a command line can do everything that the user of
 * the node can do, and a leaked token must not be enough for that. So such jobs are accepted from callers on this
 * machine and for this machine only, and no caller may use a name by which a node recognizes its own jobs.
 *
 * <p>The gate stands in {@link LocalControl}, which every caller passes who is not Java code in the node's own process:
 * the HTTP API, the command line, and through them whatever a job runs. Java code (handlers, sequels, children) calls
 * the pool itself and is trusted: it could start the program without a job.
 */
public final class SubmissionGate {

    private static final SubmissionGate LOCAL = new SubmissionGate(true, Set.of(), true, Role.ADMIN, null);

    private final boolean local;
    private final Set<String> localOnly;
    private final boolean allowRun;
    private final Role role;
    /** The only types that a process may submit for its job; null for other callers. */
    private final @Nullable Set<String> spawns;

    private SubmissionGate(boolean local, Set<String> localOnly, boolean allowRun, Role role,
            @Nullable Set<String> spawns) {
        this.role = role;
        this.spawns = spawns;
        this.local = local;
        this.localOnly = Set.copyOf(localOnly);
        this.allowRun = allowRun;
    }

    /** Returns the gate for callers on this machine. */
    public static SubmissionGate local() {
        return LOCAL;
    }

    /**
     * Returns the gate for callers on other machines.
     *
     * @param localOnly more types that only callers on this machine may submit
     * @param allowRun whether other machines may submit command lines for this one
     */
    public static SubmissionGate remote(Collection<String> localOnly, boolean allowRun) {
        return new SubmissionGate(false, Set.copyOf(localOnly), allowRun, Role.ADMIN, null);
    }

    /** Returns the gate for the processes of a job, which may submit these types and never a command line. */
    static SubmissionGate ofJob(Set<String> spawns) {
        return new SubmissionGate(false, Set.of(), false, Role.ADMIN, Set.copyOf(spawns));
    }

    /** Returns the same gate for callers with a role. Only an {@code ADMIN} may submit command lines. */
    SubmissionGate forRole(Role roleOfCaller) {
        return new SubmissionGate(local, localOnly, allowRun, roleOfCaller, spawns);
    }

    /**
     * Checks a valid draft before it is submitted.
     *
     * @throws ControlException if the caller may not submit it
     */
    void requireSubmittable(JobDraft draft, @Nullable Job parent) {
        String type = draft.type();
        if (ReservedNames.isInternalType(type)) {
            throw denied("type '" + Limits.quoted(type) + "' is reserved for jobs that a node submits itself;"
                    + " choose another name");
        }
        refusal(type).ifPresent(why -> {
            throw denied(why);
        });
        ReservedNames.reservedTag(draft.tags() == null ? Set.of() : draft.tags())
                .filter(tag -> !(tag.equals(BatchSpec.TAG) && ReservedNames.isBatch(type))).ifPresent(tag -> {
                    throw denied("tag '" + Limits.quoted(tag) + "' is reserved, as are all that start with 'heddle-';"
                            + " choose another name");
                });
        if (parent != null && ReservedNames.isBatch(parent.type())) {
            throw denied("job " + parent.id() + " is a batch, and only its node adds units to it;"
                    + " run more units with 'heddle batch run'");
        }
    }

    /**
     * Checks a job before it is retried. Units and calls that follow a job have no command line of their own.
     *
     * @throws ControlException if the caller may not submit such a job
     */
    void requireRetryable(String type) {
        refusal(type).ifPresent(why -> {
            throw denied(why);
        });
    }

    /** Returns whether {@link #requireRetryable} accepts this type. */
    boolean isRetryable(String type) {
        return refusal(type).isEmpty();
    }

    /** Returns whether callers may have command lines run on this machine. */
    boolean mayRunCommandLines() {
        return spawns == null && (local || allowRun);
    }

    /** Returns the types that callers may not submit beyond those with command lines. */
    Set<String> closedTypes() {
        return local ? Set.of() : localOnly;
    }

    private Optional<String> refusal(String type) {
        boolean commandLine = ReservedNames.isCommandLine(type);
        if (spawns != null && (commandLine || !spawns.contains(type))) {
            return Optional.of("this job may not submit jobs of type '" + Limits.quoted(type) + "'"
                    + (commandLine ? ", because they carry command lines" : "; add it to 'spawns' of its type"));
        }
        Optional<String> other = commandLine ? ReservedNames.otherMachine(type) : Optional.empty();
        if (other.isPresent()) {
            return Optional.of("jobs of type '" + Limits.quoted(type) + "' run command lines on the machine '"
                    + Limits.quoted(other.get()) + "' and are accepted there only");
        }
        if (commandLine && role != Role.ADMIN) {
            return Optional.of("jobs of type '" + type + "' run command lines, which can do everything that the user of"
                    + " the node can do; you are " + article(role) + ", and only an admin may submit them");
        }
        boolean closed = localOnly.contains(type) || (commandLine && !allowRun);
        if (local || !closed) {
            return Optional.empty();
        }
        return Optional.of("jobs of type '" + type + "' run command lines and are accepted from this machine only;"
                + " set server.allowRun to change that");
    }

    private static String article(Role role) {
        return (role == Role.OPERATOR ? "an " : "a ") + role.text();
    }

    private static ControlException denied(String message) {
        return new ControlException(Kind.DENIED, message);
    }
}
