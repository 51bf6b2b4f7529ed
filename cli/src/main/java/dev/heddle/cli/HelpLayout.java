package dev.heddle.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Lays out the help of all commands: headings, the commands in groups, and examples. */
final class HelpLayout {

    private static final String OPERATIONS = "Operations";
    /** The top-level commands by heading, in the order of the help. Others are listed under Operations. */
    private static final Map<String, List<String>> GROUPS = new LinkedHashMap<>();
    private static final int INDENT = 2;

    static {
        GROUPS.put("Jobs", List.of("run", "submit", "job", "dead", "error", "bulk", "view", "batch", "schedule"));
        GROUPS.put("Queues and limits", List.of("queue", "limit", "budget"));
        GROUPS.put("Workers", List.of("worker", "session"));
        GROUPS.put(OPERATIONS, List.of("serve", "node", "stats", "top", "events", "db", "doctor", "token", "audit"));
        GROUPS.put("This command",
                List.of("login", "logout", "whoami", "trust", "completion", "version", "demo", "bench"));
    }

    private HelpLayout() {}

    /** Lays out the help of a command and of its subcommands. The texts are put together when they are asked for. */
    static void apply(CommandLine root) {
        root.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpLayout::groupedCommands);
        root.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, _ -> "");
        layOut(root);
    }

    private static void layOut(CommandLine line) {
        line.getCommandSpec().usageMessage().abbreviateSynopsis(true).parameterListHeading("%nArguments:%n")
                .optionListHeading("%nOptions:%n").commandListHeading("%nCommands:%n");
        if (line.getCommandSpec().parent() != null) {
            line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING, _ -> "");
            line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_FOOTER,
                    help -> footer(examples(help.commandSpec())));
        }
        line.getSubcommands().values().forEach(HelpLayout::layOut);
    }

    private static String footer(List<String> examples) {
        return examples.isEmpty() ? ""
                : examples.stream().collect(Collectors.joining(System.lineSeparator(),
                        String.format(examples.size() == 1 ? "%nExample:%n" : "%nExamples:%n"),
                        System.lineSeparator()));
    }

    /** Returns the examples of a command, from its annotation or from {@code examples.txt}. */
    static List<String> examples(CommandSpec command) {
        String[] own = command.usageMessage().footer();
        return own.length > 0 ? List.of(own)
                : stored().getOrDefault(command.qualifiedName().replaceFirst("^heddle ", ""), List.of());
    }

    /** Reads the file: a line with the name of a command, then its examples, which are indented. */
    private static Map<String, List<String>> stored() {
        Map<String, List<String>> examples = new LinkedHashMap<>();
        List<String> current = new ArrayList<>();
        for (String line : resource("examples.txt").lines().toList()) {
            if (line.startsWith(" ")) {
                current.add(line);
            } else {
                current = examples.computeIfAbsent(line, _ -> new ArrayList<>());
            }
        }
        return examples;
    }

    /** Reads a text file that is part of this program. */
    static String resource(String name) {
        try (InputStream in = HelpLayout.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name + " is missing from the build").readAllBytes(),
                    StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + name, e);
        }
    }

    private static String groupedCommands(Help help) {
        Map<String, Help> shown = new LinkedHashMap<>(help.subcommands());
        int width = shown.keySet().stream().mapToInt(String::length).max().orElse(0);
        StringBuilder text = new StringBuilder();
        GROUPS.forEach((heading, names) -> {
            List<String> listed = new ArrayList<>(names);
            if (heading.equals(OPERATIONS)) {
                shown.keySet().stream()
                        .filter(name -> GROUPS.values().stream().noneMatch(group -> group.contains(name)))
                        .forEach(listed::add);
            }
            text.append(String.format("%n%s:%n", heading));
            listed.stream().filter(shown::containsKey).forEach(name -> text.append(" ".repeat(INDENT))
                    .append(help.colorScheme().commandText(name)).append(" ".repeat(width - name.length() + INDENT))
                    .append(description(Objects.requireNonNull(shown.get(name)))).append(System.lineSeparator()));
        });
        return text.toString();
    }

    private static String description(Help command) {
        String[] lines = command.commandSpec().usageMessage().description();
        return lines.length == 0 ? "" : lines[0];
    }
}
