package dev.heddle.testkit.fuzz;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Generators of inputs for {@link Fuzz}. */
public final class Inputs {

    /** Texts that parsers tend to get wrong. */
    private static final List<String> SPICE = List.of("null", "true", "-1", "0", "99999999999999999999", "1e400",
            "-0.0", "1e-20000", "12345678901234567890.5", "\"\"", "\"\\u0000\"", "\"\\ud800\"", "\"\uFFFF\"", "\ud83d",
            "[]", "{}", "[[[[", "}}", "\"", "'", "\\", ",", ":", "-", "PT-1S", "P99999999999D", "PT0.0000001S",
            "+1000000000-12-31T23:59:59Z", "1969-12-31T23:59:59.999Z", "NaN", "Infinity", "/*x*/", "'x'", "\u0000",
            "é", "\u2028", "\u001b[2J", "\"x\":1", "[".repeat(3_000), "y".repeat(300), "9".repeat(1_100), "\r\n", "\n",
            "\t", "  ", "9223372036854775807", "9223372036854775808", "2147483648", "%", "%00", "${X}", "{{x}}", "&a",
            "*a", "!!int", "<<", "? ", "--- ", "|", ">", "#", "@", "`");

    /** The values in JSON, YAML and query strings: what stands between a colon or equals sign and its end. */
    private static final Pattern VALUE = Pattern.compile("(?<=[:=])[^,}&\\n]+");

    private Inputs() {}

    /** Generates samples with up to four changes: parts removed, repeated, swapped for something else, cut off. */
    public static Arbitrary<String> mutated(List<String> samples) {
        Arbitrary<List<UnaryOperator<String>>> edits = edit().list().ofMaxSize(4);
        return Combinators.combine(Arbitraries.of(samples), edits).as((sample, changes) -> {
            String text = sample;
            for (UnaryOperator<String> change : changes) {
                text = change.apply(text);
            }
            return text;
        });
    }

    private static Arbitrary<UnaryOperator<String>> edit() {
        Arbitrary<Integer> at = Arbitraries.integers().between(0, 1_000_000);
        Arbitrary<Integer> length = Arbitraries.integers().between(0, 30);
        Arbitrary<String> other = Arbitraries.oneOf(Arbitraries.of(SPICE), noise(), scalar());
        return Arbitraries.oneOf(
                Combinators.combine(at, length, other).as((from, size, text) -> replace(from, size, text)),
                Combinators.combine(at, length).as((from, size) -> replace(from, size, "")),
                Combinators.combine(at, length).as(Inputs::repeat), Combinators.combine(at, other).as(Inputs::value),
                at.map(Inputs::value), at.map(from -> text -> text.substring(0, from % (text.length() + 1))));
    }

    private static UnaryOperator<String> replace(int at, int length, String other) {
        return text -> {
            int from = at % (text.length() + 1);
            return text.substring(0, from) + other + text.substring(Math.min(text.length(), from + length));
        };
    }

    private static UnaryOperator<String> repeat(int at, int length) {
        return text -> {
            int from = at % (text.length() + 1);
            String part = text.substring(from, Math.min(text.length(), from + length));
            return text.substring(0, from) + part + text.substring(from);
        };
    }

    /** Replaces a value, which mostly leaves the input well-formed. */
    private static UnaryOperator<String> value(int at, String other) {
        return text -> {
            List<MatchResult> values = VALUE.matcher(text).results().toList();
            if (values.isEmpty()) {
                return text + other;
            }
            MatchResult value = values.get(at % values.size());
            return text.substring(0, value.start()) + other + text.substring(value.end());
        };
    }

    /** Replaces a value by another one of the same input. */
    private static UnaryOperator<String> value(int at) {
        return text -> {
            List<MatchResult> values = VALUE.matcher(text).results().toList();
            return values.isEmpty() ? text : value(at / 1_000, values.get(at % values.size()).group()).apply(text);
        };
    }

    /** Generates short texts of any characters, also halves of surrogate pairs. */
    public static Arbitrary<String> noise() {
        return Arbitraries.oneOf(Arbitraries.strings().ascii().ofMaxLength(12),
                Arbitraries.strings().all().ofMaxLength(12),
                Arbitraries.strings().withCharRange('\u0000', '\uffff').ofMaxLength(12));
    }

    /** Generates JSON that is well-formed, but may repeat keys and have numbers and depths that are refused. */
    public static Arbitrary<String> json() {
        return Arbitraries.recursive(Inputs::scalar, Inputs::container, 0, 3);
    }

    private static Arbitrary<String> scalar() {
        Arbitrary<String> digits = Arbitraries.strings().numeric().ofMinLength(1).ofMaxLength(25);
        Arbitrary<String> number = Combinators.combine(Arbitraries.of("", "-"), digits.map(Inputs::withoutZeros),
                digits.map(text -> "." + text).optional(0.5).map(part -> part.orElse("")),
                Arbitraries.of("", "", "e0", "E+2", "e-3", "e30", "e-400", "e400", "e9999", "e2147483648"))
                .as((sign, whole, fraction, exponent) -> sign + whole + fraction + exponent);
        return Arbitraries.oneOf(Arbitraries.of("null", "true", "false", "\"\"", "[]", "{}"), number, string());
    }

    private static String withoutZeros(String digits) {
        String rest = digits.replaceFirst("^0+", "");
        return rest.isEmpty() ? "0" : rest;
    }

    private static Arbitrary<String> string() {
        Map<Character, String> escapes = Map.of('"', "\\\"", '\\', "\\\\", '\n', "\\n");
        return noise().map(text -> text.chars()
                .mapToObj(c -> c >= ' ' && c < 0xD800 && c != '"' && c != '\\' ? Character.toString(c)
                        : escapes.getOrDefault((char) c, String.format("\\u%04x", c)))
                .collect(Collectors.joining("", "\"", "\"")));
    }

    private static Arbitrary<String> container(Arbitrary<String> value) {
        Arbitrary<String> field = Combinators
                .combine(Arbitraries.oneOf(Arbitraries.of("\"a\"", "\"b\""), string()), value)
                .as((key, content) -> key + ":" + content);
        return Arbitraries.oneOf(
                value.list().ofMaxSize(3).map(values -> "[" + String.join(",", values) + "]"),
                field.list().ofMaxSize(3).map(fields -> "{" + String.join(",", fields) + "}"));
    }
}
