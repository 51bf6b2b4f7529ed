package dev.heddle.cli.demo;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import picocli.CommandLine.Help.Ansi;

/** Prints the story of the demo to standard output. */
final class Narrator {

    private final PrintWriter out;
    private final Ansi ansi;

    Narrator(PrintWriter out, Ansi ansi) {
        this.out = out;
        this.ansi = ansi;
    }

    void title(String text) {
        out.println();
        out.println(styled("bold", text));
    }

    void say(String line) {
        out.println("   " + line);
    }

    void table(List<Check> checks) {
        List<List<String>> rows = checks.stream()
                .map(check -> List.of(check.scenario(), check.expected(), check.actual(), check.ok() ? "ok" : "FAILED"))
                .toList();
        List<String> head = List.of("check", "expected", "actual", "result");
        Map<Integer, Integer> widths = IntStream.range(0, head.size()).boxed()
                .collect(Collectors.toMap(column -> column, column -> rows.stream()
                        .mapToInt(row -> row.get(column).length()).reduce(head.get(column).length(), Math::max)));
        out.println();
        out.println(styled("bold", line(head, widths)));
        rows.forEach(row -> out.println(styled(row.getLast().equals("ok") ? "green" : "red", line(row, widths))));
        out.println();
    }

    private static String line(List<String> cells, Map<Integer, Integer> widths) {
        return IntStream.range(0, cells.size()).mapToObj(
                column -> cells.get(column) + " ".repeat(widths.getOrDefault(column, 0) - cells.get(column).length()))
                .collect(Collectors.joining("  ")).stripTrailing();
    }

    private String styled(String style, String text) {
        return ansi.enabled() ? ansi.string("@|" + style + " " + text + "|@") : text;
    }
}
