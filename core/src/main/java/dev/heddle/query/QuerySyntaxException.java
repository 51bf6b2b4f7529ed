package dev.heddle.query;

import java.util.Locale;

import dev.heddle.job.HeddleException;

/** Thrown if a text is not a query. The message is one line that says what is wrong, and where. */
public final class QuerySyntaxException extends HeddleException {

    private static final long serialVersionUID = 1;
    /** How much of a query {@link #caret} shows before and after the position. */
    private static final int CONTEXT = 60;

    private final String query;
    private final int position;

    QuerySyntaxException(String query, int position, String problem) {
        super(problem + String.format(Locale.ROOT, " (at character %d of the query)", position + 1));
        this.query = query;
        this.position = position;
    }

    /** Returns where the error is, counted from 0. */
    public int position() {
        return position;
    }

    /** Returns two lines for a terminal: the query, and a caret below the error. */
    public String caret() {
        int from = Math.max(0, position - CONTEXT);
        int to = Math.min(query.length(), position + CONTEXT);
        String shown = (from > 0 ? "…" : "") + query.substring(from, to).replaceAll("\\p{C}", " ")
                + (to < query.length() ? "…" : "");
        return shown + System.lineSeparator() + " ".repeat(position - from + (from > 0 ? 1 : 0)) + "^";
    }
}
