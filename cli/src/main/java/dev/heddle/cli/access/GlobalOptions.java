package dev.heddle.cli.access;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.ConfigFile;
import dev.heddle.cli.home.Home;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options every command accepts, before or after its name: the home and the configuration. */
public final class GlobalOptions {

    private final Map<String, String> environment;

    @Option(names = "--home", paramLabel = "DIR", scope = ScopeType.INHERIT,
            description = "Home directory (default: $$HEDDLE_HOME or .heddle).")
    private @Nullable Path home;

    @Option(names = "--config", paramLabel = "FILE", scope = ScopeType.INHERIT,
            description = "Configuration (default: $$HEDDLE_CONFIG or heddle.yaml).")
    private @Nullable Path config;

    /** Creates options that fall back to these environment variables. */
    public GlobalOptions(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Returns the home of this call; it may not exist yet. */
    public Home home() {
        return Home.find(home, environment);
    }

    /** Reads the configuration. Returns the defaults if there is no file and none was requested. */
    public Config config() {
        Path directory = home().directory();
        String variable = environment.getOrDefault("HEDDLE_CONFIG", "");
        if (config != null || !variable.isEmpty()) {
            return ConfigFile.read(config != null ? config : Path.of(variable), directory, environment);
        }
        Path standard = home().sibling(ConfigFile.NAME);
        return Files.exists(standard) ? ConfigFile.read(standard, directory, environment)
                : ConfigFile.defaults(directory);
    }

    /** Returns the environment variables of this call. */
    public Map<String, String> environment() {
        return environment;
    }
}
