package dev.heddle.query;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import dev.heddle.job.Limits;

/**
 * Parses queries such as {@code state:failed (type:mail or tag:urgent) not queue:slow created:<2h}.
 *
 * <pre>
 * query     = all { "or" all }
 * all       = one { [ "and" ] one }
 * one       = "not" one | "-" one | "(" query ")" | field ":" value { "," value }
 * </pre>
 */
public final class QueryParser {

    /** The most characters of a query. */
    public static final int MAX_LENGTH = 2_000;

    private static final int MAX_DEPTH = 20;
    private static final int MAX_CONDITIONS = 100;
    private static final Pattern OPERATOR_WITHOUT_COLON = Pattern.compile("(\\p{Alpha}+)([=<>].*)");

    private final String text;
    private final ValueReader values;
    private int at;
    private int conditions;

    private QueryParser(String text, Instant now) {
        this.text = text;
        this.values = new ValueReader(text, now);
    }

    /**
     * Parses a query. One that is blank matches every job.
     *
     * @param now what relative times such as {@code created:<2h} are relative to
     * @throws QuerySyntaxException if the text is not a query
     */
    public static Condition parse(String text, Instant now) {
        if (text.length() > MAX_LENGTH) {
            throw new QuerySyntaxException(text, MAX_LENGTH,
                    "the query is longer than " + MAX_LENGTH + " characters; shorten it");
        }
        QueryParser parser = new QueryParser(text, now);
        parser.skipSpace();
        if (parser.at == text.length()) {
            return new Condition.All(List.of());
        }
        Condition condition = parser.any(0);
        if (parser.at < text.length()) {
            throw parser.error(parser.at, "')' without a '('; remove it or quote the value");
        }
        return condition;
    }

    private Condition any(int depth) {
        List<Condition> found = new ArrayList<>(List.of(all(depth)));
        while (takeWord("or")) {
            found.add(all(depth));
        }
        return found.size() == 1 ? found.getFirst() : new Condition.Any(found);
    }

    private Condition all(int depth) {
        List<Condition> found = new ArrayList<>(List.of(one(depth)));
        while (takeWord("and") || !(isEnd() || isWord("or"))) {
            found.add(one(depth));
        }
        return found.size() == 1 ? found.getFirst() : new Condition.All(found);
    }

    /** Returns whether what follows belongs to no condition: the end, or a closing parenthesis. */
    private boolean isEnd() {
        return at == text.length() || text.charAt(at) == ')';
    }

    private Condition one(int depth) {
        int start = at;
        if (depth > MAX_DEPTH) {
            throw error(start, "more than " + MAX_DEPTH + " levels of parentheses and 'not'; simplify the query");
        }
        if (isEnd() || isWord("or") || isWord("and")) {
            throw error(start, "a condition is missing here; write one such as state:failed");
        }
        if (takeWord("not")) {
            return new Condition.Not(one(depth + 1));
        }
        if (text.charAt(at) == '-') {
            at++;
            return new Condition.Not(one(depth + 1));
        }
        if (text.charAt(at) != '(') {
            return term();
        }
        at++;
        skipSpace();
        Condition inner = any(depth + 1);
        if (at == text.length()) {
            throw error(start, "'(' is never closed; add a ')'");
        }
        at++;
        skipSpace();
        return inner;
    }

    private Condition term() {
        int start = at;
        while (at < text.length() && !isBoundary(at) && text.charAt(at) != ':' && text.charAt(at) != '"') {
            at++;
        }
        String name = text.substring(start, at);
        if (name.isEmpty() || at == text.length() || text.charAt(at) != ':') {
            throw notACondition(start, name);
        }
        ValueReader.Target target = values.target(start, name);
        List<Condition> alternatives = new ArrayList<>();
        do {
            at++;
            int valueStart = at;
            alternatives.add(values.condition(target, value(target), valueStart));
            if (++conditions > MAX_CONDITIONS) {
                throw error(valueStart, "more than " + MAX_CONDITIONS + " conditions; simplify the query");
            }
        } while (at < text.length() && text.charAt(at) == ',');
        skipSpace();
        return values.anyOf(alternatives);
    }

    private QuerySyntaxException notACondition(int start, String name) {
        if (name.isEmpty()) {
            return error(start, "'" + text.charAt(start) + "' starts no condition; write field:value, such as"
                    + " state:failed or error:\"timed out\"");
        }
        var operator = OPERATOR_WITHOUT_COLON.matcher(name);
        if (operator.matches() && Field.named(operator.group(1)).isPresent()) {
            String value = operator.group(2).replaceFirst("^=+", "");
            return error(start, "a colon is missing after the field; write " + operator.group(1) + ":" + value);
        }
        String shown = Limits.quoted(name);
        return error(start, "'" + shown + "' is not a condition; write field:value, such as error:" + shown);
    }

    /** Reads one value: text in quotes, or all characters up to the next boundary. */
    private ValueReader.Value value(ValueReader.Target target) {
        int start = at;
        if (at < text.length() && text.charAt(at) == '"') {
            return new ValueReader.Value(quoted(start), true);
        }
        while (at < text.length() && !isBoundary(at) && text.charAt(at) != ',' && text.charAt(at) != '"') {
            at++;
        }
        if (at == start) {
            throw error(start, "a value is missing after '" + target.name() + ":'");
        }
        return new ValueReader.Value(text.substring(start, at), false);
    }

    private String quoted(int start) {
        StringBuilder value = new StringBuilder();
        for (at = start + 1; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                if (at < text.length() && !isBoundary(at) && text.charAt(at) != ',') {
                    throw error(at, "a space is missing after the closing quote");
                }
                return value.toString();
            }
            if (c == '\\' && at + 1 < text.length() && (text.charAt(at + 1) == '"' || text.charAt(at + 1) == '\\')) {
                at++;
            }
            value.append(text.charAt(at));
        }
        throw error(start, "the quote is never closed; add a '\"'");
    }

    private boolean isBoundary(int index) {
        char c = text.charAt(index);
        return Character.isWhitespace(c) || c == '(' || c == ')';
    }

    private boolean isWord(String word) {
        int end = at + word.length();
        return text.regionMatches(true, at, word, 0, word.length()) && (end == text.length() || isBoundary(end));
    }

    private boolean takeWord(String word) {
        if (!isWord(word)) {
            return false;
        }
        at += word.length();
        skipSpace();
        return true;
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private QuerySyntaxException error(int position, String problem) {
        return new QuerySyntaxException(text, position, problem);
    }
}
