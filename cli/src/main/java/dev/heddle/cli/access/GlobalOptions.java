package dev.heddle.cli.access;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.ConfigFile;
import dev.heddle.cli.home.Home;
import dev.heddle.cli.trust.Trust;
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

    @Option(names = "--reveal", scope = ScopeType.INHERIT,
            description = "Show values that are masked as secrets.")
    private boolean reveal;

    /** The home that was checked, because commands ask for it many times. */
    private @Nullable Home trusted;

    /** Creates options that fall back to these environment variables. */
    public GlobalOptions(Map<String, String> environment) {
        this.environment = environment;
    }

    /**
     * Returns the home of this call; it may not exist yet.
     *
     * @throws dev.heddle.cli.shell.CliException if it needs to be trusted before
     */
    public Home home() {
        Home found = Home.find(home, environment);
        if (!found.equals(trusted)) {
            trust().require(found.directory(), new byte[0]);
            trusted = found;
        }
        return found;
    }

    /**
     * Reads the configuration for a command: without job types and the token, which only nodes use. Returns the
     * defaults if there is no file and none was requested.
     *
     * @throws dev.heddle.cli.shell.CliException if it is invalid, or needs to be trusted before
     */
    public Config config() {
        return config(ConfigFile.Use.COMMAND);
    }

    /** Reads the configuration for a node; see {@link #config}. */
    public Config nodeConfig() {
        return config(ConfigFile.Use.NODE);
    }

    private Config config(ConfigFile.Use use) {
        Path directory = home().directory();
        Path file = configFile();
        if (!isConfigRequested() && !Files.exists(file)) {
            return ConfigFile.defaults(directory);
        }
        byte[] content = ConfigFile.content(file);
        trust().require(file.toAbsolutePath().normalize(), content);
        return ConfigFile.parse(file, content, directory, environment, use);
    }

    /** Returns whether the home was given as an option. */
    boolean isHomeRequested() {
        return home != null;
    }

    /** Returns whether a home was asked for, or exists in the current directory. */
    boolean hasHome() {
        return home != null || !environment.getOrDefault("HEDDLE_HOME", "").isEmpty()
                || Files.exists(Home.find(null, environment).directory());
    }

    private boolean isConfigRequested() {
        return config != null || !environment.getOrDefault("HEDDLE_CONFIG", "").isEmpty();
    }

    private Path configFile() {
        if (config != null) {
            return config;
        }
        return isConfigRequested() ? Path.of(environment.getOrDefault("HEDDLE_CONFIG", ""))
                : Home.find(home, environment).sibling(ConfigFile.NAME);
    }

    /** Returns the configuration and the home of this call, trusted or not; they may not exist. */
    public List<Path> places() {
        return List.of(configFile().toAbsolutePath().normalize(), Home.find(home, environment).directory());
    }

    /** Returns what the user trusts. */
    public Trust trust() {
        return new Trust(environment);
    }

    /** Returns whether to show values that are masked. */
    public boolean reveal() {
        return reveal;
    }

    /** Returns the environment variables of this call. */
    public Map<String, String> environment() {
        return environment;
    }
}
