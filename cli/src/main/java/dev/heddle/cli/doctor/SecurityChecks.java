package dev.heddle.cli.doctor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.heddle.agent.Agent;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.Config.StoreConfig;
import dev.heddle.cli.home.Home;
import dev.heddle.command.CommandSpec;
import dev.heddle.process.Confinement;

/** Checks a configuration for unnecessary exposure. The checks change nothing and connect to nothing. */
final class SecurityChecks {

    private static final Set<PosixFilePermission> OTHERS = Set.of(PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);
    private static final Pattern SERVER = Pattern.compile("jdbc:postgresql://(\\[[^\\]]+]|[^:/?,]+)");
    private static final Pattern PASSWORD = Pattern.compile("[?&]password=", Pattern.CASE_INSENSITIVE);

    private final Config config;
    private final Home home;
    private final String user;

    SecurityChecks(Config config, Home home, String user) {
        this.config = config;
        this.home = home;
        this.user = user;
    }

    List<Finding> all() {
        return List.of(user(), files(), listener(), commandLines(), database(), agents(), nodeMemory(), repositories(),
                webhooks());
    }

    private Finding user() {
        boolean needsRoot = Stream.concat(config.types().commands().stream().map(CommandSpec::workspace),
                config.types().agents().stream().map(Agent::workspace))
                .anyMatch(workspace -> workspace.confinement().user() != null);
        if (!user.equals("root")) {
            return Finding.ok("user", "runs as " + user);
        }
        return needsRoot ? Finding.ok("user", "runs as root, which runAs needs")
                : Finding.wrong("user", "runs as root, and so does every job",
                        "run 'heddle serve' as a user of its own, or set runAs for the types");
    }

    private Finding files() {
        Stream<Path> files = Stream.of(home.directory());
        if (config.store() instanceof StoreConfig.Sqlite(Path file)) {
            files = Stream.concat(files, Stream.of(file, file.resolveSibling(file.getFileName() + "-wal")));
        }
        List<String> open = files.filter(SecurityChecks::isOpenToOthers).map(Path::toString).toList();
        return open.isEmpty() ? Finding.ok("files", "home and store are private to you")
                : Finding.wrong("files", String.join(", ", open) + " can be read by others",
                        "chmod go-rwx " + String.join(" ", open));
    }

    private static boolean isOpenToOthers(Path file) {
        try {
            return FileSystems.getDefault().supportedFileAttributeViews().contains("posix") && Files.exists(file)
                    && Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains);
        } catch (IOException e) {
            return true;
        }
    }

    private Finding listener() {
        String host = config.server().host();
        if (isLoopback(host)) {
            return Finding.ok("listener", host + ", for this machine only");
        }
        if (config.server().guard().tls() != null) {
            return Finding.ok("listener", host + " with TLS");
        }
        return Finding.wrong("listener", host + " without TLS: the token and all payloads can be read on the network",
                "set server.tls, or listen on 127.0.0.1 behind a proxy with TLS");
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private Finding commandLines() {
        return config.server().allowRun()
                ? Finding.wrong("command lines", "accepted from other machines: who has the token can run any program",
                        "remove server.allowRun, and define types for what others may run")
                : Finding.ok("command lines", "accepted from this machine only");
    }

    private Finding database() {
        if (!(config.store() instanceof StoreConfig.Postgresql database)) {
            return Finding.ok("database", "a local file");
        }
        if (PASSWORD.matcher(database.url()).find()) {
            return Finding.wrong("database", "the URL contains the password",
                    "set store.postgresql.password to ${NAME} instead");
        }
        Matcher server = SERVER.matcher(database.url());
        boolean local = server.lookingAt() && isLoopback(server.group(1));
        return local || database.url().contains("sslmode=verify-full")
                ? Finding.ok("database", local ? "on this machine" : "its certificate is verified")
                : Finding.wrong("database", "the server's certificate is not verified",
                        "add sslmode=verify-full to store.postgresql.url");
    }

    private Finding agents() {
        List<String> unconfined = config.types().agents().stream()
                .filter(agent -> agent.workspace().confinement().equals(Confinement.NONE)).map(Agent::name).toList();
        return unconfined.isEmpty() ? Finding.ok("agents", "none can reach all files of the node's user")
                : Finding.wrong("agents",
                        String.join(", ", unconfined) + " can reach all files of the node's user, its token too",
                        "set 'isolation: sandbox' or runAs for these types");
    }

    private Finding nodeMemory() {
        return config.protectNode() ? Finding.ok("node memory", "hidden from other processes of its user")
                : Finding.wrong("node memory", "other processes of its user can read its secrets",
                        "remove process.protectNode: false");
    }

    private Finding repositories() {
        return config.workshop().worktrees().trustRepositories()
                ? Finding.wrong("repositories", "the node's git runs programs that a repository names",
                        "remove worktree.trustRepositories, unless only you can write to these repositories")
                : Finding.ok("repositories", "the node's git runs nothing that they name");
    }

    private Finding webhooks() {
        return config.privateWebhooks()
                ? Finding.wrong("webhooks", "all of them may reach addresses that are not public",
                        "remove webhooks.allowPrivate, and set allowPrivate where it is needed")
                : Finding.ok("webhooks", "reach public addresses only, except those that set allowPrivate");
    }
}
