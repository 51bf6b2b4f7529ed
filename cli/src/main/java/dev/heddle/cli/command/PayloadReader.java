package dev.heddle.cli.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.FileErrors;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlJson;
import tools.jackson.databind.JsonNode;

/** Reads JSON payloads from the command line, a file or standard input. */
final class PayloadReader {

    private final InputStream in;

    PayloadReader(InputStream in) {
        this.in = in;
    }

    /** Reads one payload: JSON text, {@code @FILE}, or {@code -} for standard input. */
    JsonNode one(String argument) throws IOException {
        if (argument.equals("-")) {
            return parse(in.readAllBytes(), "standard input");
        }
        if (argument.startsWith("@")) {
            Path file = Path.of(argument.substring(1));
            try (InputStream stream = open(file)) {
                return parse(stream.readAllBytes(), file.toString());
            }
        }
        return parse(argument.getBytes(StandardCharsets.UTF_8), "--payload");
    }

    /** Reads one payload per line from a file, or from standard input for {@code -}. Skips blank lines. */
    List<JsonNode> lines(String argument) throws IOException {
        String name = argument.equals("-") ? "standard input" : argument;
        List<JsonNode> payloads = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(argument.equals("-") ? in : open(Path.of(argument)), StandardCharsets.UTF_8))) {
            int number = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                if (!line.isBlank()) {
                    payloads.add(parse(line.getBytes(StandardCharsets.UTF_8), name + ":" + number));
                }
            }
        }
        if (payloads.isEmpty()) {
            throw CliException.usage(name + " has no payloads; expected one JSON value per line");
        }
        return payloads;
    }

    private static InputStream open(Path file) {
        if (Files.isDirectory(file)) {
            throw CliException.usage("'" + file + "' is a directory, not a file");
        }
        try {
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    private static JsonNode parse(byte[] json, String where) {
        try {
            return ControlJson.readTree(json);
        } catch (ControlException e) {
            throw new CliException(ExitCode.USAGE, where + ": " + e.getMessage(), e);
        }
    }
}
