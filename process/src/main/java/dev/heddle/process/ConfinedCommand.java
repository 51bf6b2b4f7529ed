package dev.heddle.process;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A command with the programs that confine it: first the one that changes the user, then the sandbox.
 *
 * @param user the user as which it runs; null for the user of the node
 */
record ConfinedCommand(List<String> command, Map<String, String> environment, @Nullable TargetUser user) {

    /**
     * Confines the command of a launch.
     *
     * @param command the absolute path of its program, and its arguments
     * @param directory its working directory
     * @param temp its own temp directory; null if it has none
     * @param bound whether it ends with the node
     */
    static ConfinedCommand of(Launch launch, List<String> command, Path directory, @Nullable Path temp,
            boolean bound) {
        Confinement confinement = launch.confinement();
        TargetUser user = confinement.user() == null ? null : TargetUser.find(confinement.user());
        Map<String, String> environment = new HashMap<>(launch.environment());
        List<String> line = command;
        if (user != null) {
            environment.putAll(user.variables());
        }
        Sandbox sandbox = confinement.sandbox();
        if (sandbox != null) {
            Sandbox hidden = user == null ? sandbox : sandbox.hide(List.of(user.home()));
            line = Bubblewrap.here().wrap(line, hidden, directory, temp);
        }
        if (user != null) {
            line = user.wrap(line, bound);
        }
        if (temp == null && !confinement.equals(Confinement.NONE)) {
            environment.putAll(TempDirectory.variables(Path.of("/tmp")));
        }
        return new ConfinedCommand(line, environment, user);
    }
}
