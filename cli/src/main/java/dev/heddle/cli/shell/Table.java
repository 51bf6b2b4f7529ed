package dev.heddle.cli.shell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

import dev.heddle.output.SafeText;

/**
 * Prints rows in columns. On a terminal, elastic columns shrink to fit its width, the widest first, and cut text ends in
 * an ellipsis. Other columns, such as ids, are never cut. Without a terminal, nothing is cut.
 */
public final class Table<T> {

    private static final String GAP = "  ";
    /** What elastic columns keep: enough to read at first, and less only if that does not fit. */
    private static final int[] MIN_ELASTIC_WIDTHS = {8, 4};

    private final List<Column<T>> columns = new ArrayList<>();
    private boolean headers = true;

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

    /** Sets whether the titles of the columns are printed. */
    public Table<T> headers(boolean printed) {
        headers = printed;
        return this;
    }

    /** Prints the titles and the rows. */
    public void print(CliOutput output, List<T> rows) {
        List<List<String>> cells = rows.stream()
                .map(row -> columns.stream().map(column -> SafeText.line(column.text.apply(row))).toList())
                .toList();
        int[] widths = widths(cells, output.terminal().width());
        if (headers) {
            List<String> titles = columns.stream().map(Column::title).toList();
            output.print(line(titles, widths, (_, text) -> output.styled(Style.BOLD, text)));
        }
        for (int i = 0; i < rows.size(); i++) {
            T row = rows.get(i);
            output.print(line(cells.get(i), widths,
                    (column, text) -> output.styled(columns.get(column).style.apply(row), text)));
        }
    }

    private int[] widths(List<List<String>> cells, int maxWidth) {
        int[] widths = IntStream.range(0, columns.size()).map(column -> cells.stream()
                .mapToInt(row -> TextWidth.of(row.get(column)))
                .reduce(headers ? columns.get(column).title.length() : 0, Math::max)).toArray();
        long excess = Arrays.stream(widths).asLongStream().sum() + (long) GAP.length() * (widths.length - 1) - maxWidth;
        for (int least : MIN_ELASTIC_WIDTHS) {
            excess = shrink(widths, excess, least);
        }
        return widths;
    }

    /** Takes columns of the terminal from elastic columns, and returns how many are still missing. */
    private long shrink(int[] widths, long excess, int least) {
        long missing = excess;
        while (missing > 0) {
            int widest = IntStream.range(0, widths.length).filter(i -> columns.get(i).shape == Shape.ELASTIC).boxed()
                    .max(Comparator.comparingInt(i -> widths[i])).orElse(-1);
            if (widest < 0 || widths[widest] <= least) {
                return missing;
            }
            widths[widest]--;
            missing--;
        }
        return missing;
    }

    private interface Painter {
        String paint(int column, String text);
    }

    private String line(List<String> cells, int[] widths, Painter painter) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String text = TextWidth.cut(cells.get(i), widths[i]);
            String space = " ".repeat(widths[i] - TextWidth.of(text));
            boolean right = columns.get(i).shape == Shape.RIGHT;
            line.append(i == 0 ? "" : GAP).append(right ? space : "").append(painter.paint(i, text))
                    .append(right || i == cells.size() - 1 ? "" : space);
        }
        return line.toString().stripTrailing();
    }
}
