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

/** Which home and which configuration a command works with. Before or after any command's name. */
public final class Place {

    private final Map<String, String> environment;

    @Option(names = "--home", paramLabel = "DIR", scope = ScopeType.INHERIT, description = "The home; default $$HEDDLE_HOME, else .heddle here.") private @Nullable Path home;

    @Option(names = "--config", paramLabel = "FILE", scope = ScopeType.INHERIT, description = "The configuration; default $$HEDDLE_CONFIG, else heddle.yaml next to the home.") private @Nullable Path config;

    public Place(Map<String, String> environment) {
        this.environment = environment;
    }

    public Home home() {
        return Home.find(home, environment);
    }

    /** Read strictly; the defaults where there is no file and none was asked for. */
    public Config config() {
        Path directory = home().directory();
        String variable = environment.getOrDefault("HEDDLE_CONFIG", "");
        if (config != null || !variable.isEmpty()) {
            return ConfigFile.read(config != null ? config : Path.of(variable), directory, environment);
        }
        Path standard = home().beside(ConfigFile.NAME);
        return Files.exists(standard) ? ConfigFile.read(standard, directory, environment)
                : ConfigFile.standard(directory);
    }

    public Map<String, String> environment() {
        return environment;
    }
}
