package dev.heddle.control.local;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import dev.heddle.run.Machine;

/**
 * The names of job types and tags that mean something to a node. {@link SubmissionGate} decides who may use them.
 *
 * <ul>
 * <li>{@code run} and {@code batch}: their payload is a command line. In a store that machines share, each machine has
 * its own, such as {@code run@build-1}.
 * <li>{@code batch:…}: the units of a batch.
 * <li>{@code …:onUnitComplete} and {@code …:onUnitFailed}, {@code hook:…}: calls that follow a job.
 * <li>{@code heddle-…}: any other type or tag of Heddle's own.
 * </ul>
 */
public final class ReservedNames {

    /** The type of jobs that {@code heddle run} submits: programs with their arguments. */
    public static final String RUN = "run";

    /** The type of jobs that {@code heddle batch run} submits. */
    public static final String BATCH = "batch";

    /** How the type of the units of a batch starts. */
    public static final String UNITS = "batch:";

    private static final String OWN = "heddle-";
    private static final List<String> PREFIXES = List.of(OWN, UNITS, "hook:");
    private static final List<String> SUFFIXES = List.of(":onUnitComplete", ":onUnitFailed");
    private static final char AT = '@';

    private ReservedNames() {}

    /** Returns whether a user must not give this name to a type, because jobs of such a type are the node's own. */
    public static boolean isReservedType(String type) {
        return isCommandLine(type) || isInternalType(type);
    }

    /** Returns whether jobs of this type have a command line as their payload. */
    static boolean isCommandLine(String type) {
        return isOrOn(RUN, type) || isBatch(type);
    }

    /** Returns whether jobs of this type are batches. */
    static boolean isBatch(String type) {
        return isOrOn(BATCH, type);
    }

    private static boolean isOrOn(String base, String type) {
        return type.equals(base) || type.startsWith(base + AT);
    }

    /** Returns the machine that runs the command lines of a type, unless it is this one. */
    static Optional<String> otherMachine(String type) {
        int at = type.indexOf(AT);
        return Optional.of(type.substring(at + 1)).filter(name -> at >= 0 && !name.equals(Machine.name()));
    }

    /** Returns whether only a node itself creates jobs of this type. */
    static boolean isInternalType(String type) {
        return PREFIXES.stream().anyMatch(type::startsWith) || SUFFIXES.stream().anyMatch(type::endsWith);
    }

    /** Returns the first of these tags that is reserved. */
    static Optional<String> reservedTag(Collection<String> tags) {
        return tags.stream().filter(tag -> tag.startsWith(OWN)).sorted().findFirst();
    }
}
