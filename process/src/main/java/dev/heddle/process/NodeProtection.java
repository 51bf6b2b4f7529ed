package dev.heddle.process;

import java.util.List;
import java.util.Map;

import dev.heddle.process.environment.EnvironmentRules;

/**
 * Protects the memory and the environment of a node from the processes of its user, among them those of its jobs. On
 * Linux, every process could otherwise read the node's secrets in {@code /proc/PID/environ}.
 *
 * <ul>
 * <li>The node becomes non-dumpable: only root can read its environment and memory, trace it, or attach to it with
 * {@code jcmd} and debuggers. The kernel writes no core dumps of it. Heap dumps that the JVM itself writes still work.
 * <li>Variables other than the basic ones are blanked where the kernel shows them. This is all the protection there is
 * from processes of root.
 * </ul>
 *
 * <p>It is no protection from root, who can read the memory of any process, and none for the node's files. The process
 * that started the node may show the same variables.
 */
public final class NodeProtection {

    /** Variables that native code may still look up, and the mark by which an outer node knows this one. */
    private static final List<String> NATIVE = List.of("LD_*", "MALLOC_*", "GCONV_PATH", "LOCALDOMAIN", "RES_OPTIONS",
            "SQLITE_TMPDIR", ProcessMark.VARIABLE);
    private static final EnvironmentRules SHOWN = EnvironmentRules.standard().inheriting(EnvironmentRules.BASIC)
            .allowing(NATIVE);

    private NodeProtection() {}

    /**
     * Protects this JVM, for as long as it lives. Returns false if the operating system does not support it.
     */
    public static boolean apply() {
        System.getenv(); // Java makes its own copy when it is first asked
        return Platform.here().protectNode();
    }

    static boolean isShown(String variable) {
        return !SHOWN.inherit(Map.of(variable, "")).isEmpty();
    }
}
