package dev.heddle.cli.shell;

/** A text style for terminals. */
public enum Style {
    PLAIN(""), BOLD("1"), DIM("2"), RED("31"), GREEN("32"), YELLOW("33"), BLUE("34"), CYAN("36");

    private final String code;

    Style(String code) {
        this.code = code;
    }

    String apply(String text) {
        return code.isEmpty() || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
