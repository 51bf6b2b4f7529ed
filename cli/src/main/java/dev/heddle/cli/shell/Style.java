package dev.heddle.cli.shell;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.heddle.output.SafeText;

/**
 * A text style for terminals. A styled text has marks, which become escape sequences when it is printed. The marks are
 * no characters, so they occur in no text that was made safe.
 */
public enum Style {
    PLAIN('\uFDD0', "0"), BOLD('\uFDD1', "1"), DIM('\uFDD2', "2"), RED('\uFDD3', "31"), GREEN('\uFDD4',
            "32"), YELLOW('\uFDD5', "33"), BLUE('\uFDD6', "34"), CYAN('\uFDD7', "36");

    private static final Map<Integer, Style> BY_MARK = Arrays.stream(values())
            .collect(Collectors.toMap(style -> (int) style.mark, Function.identity()));

    private final char mark;
    private final String code;

    Style(char mark, String code) {
        this.mark = mark;
        this.code = code;
    }

    String apply(String text) {
        return this == PLAIN || text.isEmpty() ? text : mark + SafeText.line(text) + PLAIN.mark;
    }

    /** Makes a line safe and shows its styles, or leaves them out. */
    static String show(String line, boolean color) {
        StringBuilder shown = new StringBuilder(line.length());
        line.codePoints().forEach(c -> {
            Style style = BY_MARK.get(c);
            if (style == null) {
                shown.appendCodePoint(SafeText.inLine(c));
            } else if (color) {
                shown.append("\u001b[").append(style.code).append('m');
            }
        });
        return shown.toString();
    }
}
