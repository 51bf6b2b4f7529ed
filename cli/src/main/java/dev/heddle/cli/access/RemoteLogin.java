package dev.heddle.cli.access;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import dev.heddle.cli.home.PrivateFiles;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.remote.RemoteControl;
import org.jspecify.annotations.Nullable;

/**
 * A node on another machine that commands ask, and how they log in.
 *
 * @param url the address of the node, such as {@code https://heddle.example}
 * @param token the token to send
 * @param certificate the PEM file with the certificate of the node; null to trust the authorities that the JVM trusts
 */
public record RemoteLogin(URI url, String token, @Nullable Path certificate) {

    /** The variable with the address of the node. */
    public static final String URL = "HEDDLE_URL";
    /** The variable with the token. */
    public static final String TOKEN = "HEDDLE_TOKEN";
    /** The variable with the certificate of the node. */
    public static final String CERTIFICATE = "HEDDLE_CERTIFICATE";

    /**
     * Returns the node that the variables name, or else the one that {@code heddle login} has stored; empty if there is
     * none. Variables win over the file, and a home that was asked for or exists here wins over the file too.
     *
     * @param hasHome whether a home was asked for or exists
     */
    public static Optional<RemoteLogin> find(Map<String, String> environment, boolean hasHome) {
        String url = environment.getOrDefault(URL, "");
        if (url.isEmpty()) {
            return hasHome ? Optional.empty() : stored(environment).map(login -> login.with(environment));
        }
        URI address = address(url);
        Optional<RemoteLogin> stored = stored(environment).filter(login -> login.url.equals(address));
        String token = environment.getOrDefault(TOKEN, "");
        if (token.isEmpty() && stored.isEmpty()) {
            throw new CliException(ExitCode.DENIED, URL + " is set, but " + TOKEN
                    + " is not; set it too, or run 'heddle login " + address + "'");
        }
        return Optional.of(stored.orElse(new RemoteLogin(address, token, null)).with(environment));
    }

    private RemoteLogin with(Map<String, String> environment) {
        String otherToken = environment.getOrDefault(TOKEN, "");
        String otherCertificate = environment.getOrDefault(CERTIFICATE, "");
        return new RemoteLogin(url, otherToken.isEmpty() ? token : otherToken,
                otherCertificate.isEmpty() ? certificate : Path.of(otherCertificate));
    }

    /**
     * Returns the address that a user has typed.
     *
     * @throws CliException if it is not one
     */
    public static URI address(String text) {
        try {
            URI address = URI.create(text.replaceAll("/+$", ""));
            boolean http = List.of("http", "https").contains(String.valueOf(address.getScheme()));
            if (http && address.getHost() != null && String.valueOf(address.getPath()).isEmpty()
                    && address.getRawQuery() == null && address.getUserInfo() == null) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        throw CliException
                .usage("not the address of a node: '" + text + "'; expected one such as https://heddle.example"
                        + " or http://127.0.0.1:7420");
    }

    /** Returns a control that asks this node. */
    public RemoteControl connect() {
        return certificate == null ? RemoteControl.at(url, token) : RemoteControl.at(url, token, certificate);
    }

    /** Returns the file that keeps the login, in the configuration directory of the user. */
    static Path file(Map<String, String> environment) {
        Path configured = Path.of(environment.getOrDefault("XDG_CONFIG_HOME", ""));
        Path home = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")));
        return (configured.isAbsolute() ? configured : home.resolve(".config")).resolve("heddle").resolve("login");
    }

    private static Optional<RemoteLogin> stored(Map<String, String> environment) {
        Path file = file(environment);
        try {
            List<String> lines = Files.readAllLines(file);
            if (lines.size() < 2) {
                throw damaged(file);
            }
            return Optional.of(new RemoteLogin(address(lines.get(0)), lines.get(1),
                    lines.size() > 2 ? Path.of(lines.get(2)) : null));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw damaged(file);
        }
    }

    private static CliException damaged(Path file) {
        return new CliException(ExitCode.DENIED,
                "cannot read " + file + "; run 'heddle login URL' again, or 'heddle logout'");
    }

    /** Stores this login, readable by the user only. */
    public void store(Map<String, String> environment) throws IOException {
        Path file = file(environment);
        Path directory = Objects.requireNonNull(file.getParent());
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(Objects.requireNonNull(directory.getParent()));
            PrivateFiles.createDirectory(directory);
        }
        PrivateFiles.write(file, url + "\n" + token + "\n" + (certificate == null ? "" : certificate + "\n"));
    }

    /** Deletes the stored login; returns whether there was one. */
    public static boolean forget(Map<String, String> environment) throws IOException {
        return Files.deleteIfExists(file(environment));
    }

    /** Hides the token. */
    @Override
    public String toString() {
        return url.toString();
    }
}
