package dev.heddle.cli.shell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

import dev.heddle.output.SafeText;

/**
 * Prints rows in columns. On a terminal, elastic columns shrink to fit its width, and cut text ends in an ellipsis.
 * Otherwise nothing is cut.
 */
public final class Table<T> {

    private static final String GAP = "  ";
    private static final int MIN_ELASTIC_WIDTH = 8;

    private final List<Column<T>> columns = new ArrayList<>();

    private record Column<T>(String title, Shape shape, Function<T, String> text, Function<T, Style> style) {}

    private enum Shape {
        LEFT, RIGHT, ELASTIC
    }

    /** Adds a left-aligned column. */
    public Table<T> column(String title, Function<T, String> text) {
        return column(title, text, _ -> Style.PLAIN);
    }

    /** Adds a left-aligned column with a style that depends on the row. */
    public Table<T> column(String title, Function<T, String> text, Function<T, Style> style) {
        columns.add(new Column<>(title, Shape.LEFT, text, style));
        return this;
    }

    /** Adds a right-aligned column. */
    public Table<T> number(String title, Function<T, String> text) {
        columns.add(new Column<>(title, Shape.RIGHT, text, _ -> Style.PLAIN));
        return this;
    }

    /** Adds a left-aligned column that shrinks if the terminal is too narrow. */
    public Table<T> elastic(String title, Function<T, String> text) {
        columns.add(new Column<>(title, Shape.ELASTIC, text, _ -> Style.PLAIN));
        return this;
    }

    /** Prints the titles and the rows. */
    public void print(CliOutput output, List<T> rows) {
        List<List<String>> cells = rows.stream()
                .map(row -> columns.stream().map(column -> SafeText.line(column.text.apply(row))).toList())
                .toList();
        int[] widths = widths(cells, output.terminal().width());
        List<String> titles = columns.stream().map(Column::title).toList();
        output.print(line(titles, widths, (_, text) -> output.styled(Style.BOLD, text)));
        for (int i = 0; i < rows.size(); i++) {
            T row = rows.get(i);
            output.print(line(cells.get(i), widths,
                    (column, text) -> output.styled(columns.get(column).style.apply(row), text)));
        }
    }

    private int[] widths(List<List<String>> cells, int maxWidth) {
        int[] widths = IntStream.range(0, columns.size()).map(column -> cells.stream()
                .mapToInt(row -> row.get(column).length()).reduce(columns.get(column).title.length(), Math::max))
                .toArray();
        long excess = Arrays.stream(widths).asLongStream().sum() + (long) GAP.length() * (widths.length - 1) - maxWidth;
        while (excess-- > 0) {
            int widest = IntStream.range(0, widths.length).filter(i -> columns.get(i).shape == Shape.ELASTIC).boxed()
                    .max(Comparator.comparingInt(i -> widths[i])).orElse(-1);
            if (widest < 0 || widths[widest] <= MIN_ELASTIC_WIDTH) {
                break;
            }
            widths[widest]--;
        }
        return widths;
    }

    private interface Painter {
        String paint(int column, String text);
    }

    private String line(List<String> cells, int[] widths, Painter painter) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String text = cut(cells.get(i), widths[i]);
            String space = " ".repeat(widths[i] - text.length());
            boolean right = columns.get(i).shape == Shape.RIGHT;
            line.append(i == 0 ? "" : GAP).append(right ? space : "").append(painter.paint(i, text))
                    .append(right || i == cells.size() - 1 ? "" : space);
        }
        return line.toString().stripTrailing();
    }

    private static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, width - 1) + "…";
    }
}
