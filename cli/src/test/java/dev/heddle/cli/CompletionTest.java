package dev.heddle.cli;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The completion scripts in real shells, with a fake heddle that lists fixed ids and names. */
@Timeout(180)
class CompletionTest {

    private static final String BASH = """
            source "$1"
            shift
            compopt() { :; } # works only during interactive completion
            registered=$(complete -p heddle)
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            registered=${registered##*-F }
            ${registered%% *}
            printf '%s\\n' "${COMPREPLY[@]}"
            """;
    /** Calls the function like zsh's emulation of bash completion. Filters by prefix, as zsh itself does. */
    private static final String ZSH = """
            autoload -U compinit && compinit -D -u
            source "$1"
            shift
            registered=${_comps[heddle]##*-F }
            emulate sh -o kshglob -o noshglob -o braceexpand
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            $registered
            printf '%s\\n' "${COMPREPLY[@]}" | grep "^${COMP_WORDS[COMP_CWORD]}" || true
            """;

    /** Prints the candidates without their descriptions. */
    private static final String FISH = """
            source $argv[2]
            complete -C (string join ' ' -- $argv[3..-1]) | string replace -r '\\t.*' ''
            """;

    @TempDir
    private Path directory;

    @BeforeEach
    void createFakeHeddle() throws Exception {
        Path command = Files.writeString(directory.resolve("heddle"), """
                #!/usr/bin/env bash
                case "$*" in
                  "job list -q -n 200") printf '01aa\\n01ab\\n' ;;
                  "--home there job list -q -n 200") printf '02cc\\n' ;;
                  "dead list -q -n 200") printf '03dd\\n' ;;
                  "queue list -q") printf 'Mail\\n' ;;
                  "worker list -q") printf 'vm/default-1\\n' ;;
                  "schedule list -q") echo nightly ;;
                  "limit list -q") echo per-customer ;;
                  "stats -o jsonl") echo '{"dead":0,"types":["echo","sleep"]}' ;;
                esac
                """);
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            heddle vers                    | version
            heddle job li                  | list
            heddle job list --sta          | --state
            heddle job list --state RUN    | RUNNING
            heddle job list -o js          | json jsonl
            heddle completion ''           | bash zsh fish
            heddle schedule pause ''       | nightly
            heddle limit remove ''         | per-customer
            heddle job show 01             | 01aa 01ab
            heddle job show ''             | 01aa 01ab
            heddle --home there job show 0 | 02cc
            heddle job retry ''            | 03dd
            heddle dead retry 0            | 03dd
            heddle queue pause M           | Mail
            heddle worker show v           | vm/default-1
            heddle submit e                | echo
            heddle warm                    | ``
            """)
    void completesCommandsOptionsIdsAndNames(String line, String expected) throws Exception {
        assertThat(complete(List.of("bash", "-c", BASH), line)).as("bash").isEqualTo(expected);
        assertThat(complete(List.of("zsh", "-f", "-c", ZSH), line)).as("zsh").isEqualTo(expected);
        assertThat(Set.of(complete(List.of("fish", "-N", "-c", FISH), line).split(" "))).as("fish")
                .isEqualTo(Set.of(expected.split(" ")));
    }

    private String complete(List<String> call, String line) throws Exception {
        String shell = call.getFirst();
        Path script = Files.writeString(directory.resolve("completion"), Cli.run("completion", shell).out());
        List<String> command = new ArrayList<>(call);
        command.addAll(List.of(shell, script.toString()));
        Stream.of(line.split(" ")).map(word -> word.equals("''") ? "" : word).forEach(command::add);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().merge("PATH", directory.toString(), (path, own) -> own + ":" + path);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(out).isZero();
        return String.join(" ", out.lines().map(String::strip).filter(word -> !word.isEmpty()).toList());
    }
}
