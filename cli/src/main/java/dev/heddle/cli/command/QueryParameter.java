package dev.heddle.cli.command;

import java.time.Instant;
import java.util.List;

import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.Control;
import dev.heddle.control.model.SavedView;
import dev.heddle.query.QueryParser;
import dev.heddle.query.QuerySyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A query as the parameters of a command, as a mixin. */
final class QueryParameter {

    @Parameters(paramLabel = "QUERY", arity = "0..*",
            description = "Only jobs that match, such as 'state:failed error:timeout created:<2h'.")
    private List<String> words = List.of();

    @Option(names = "--view", paramLabel = "NAME", description = "Only jobs that match the query of this saved view.")
    private @Nullable String view;

    /**
     * Returns the query; null if there is none.
     *
     * @throws CliException if it is not one; the message points at the error
     */
    @Nullable String get() {
        String query = String.join(" ", words);
        return query.isBlank() ? null : checked(query);
    }

    /** Returns the query, joined with that of the view; null if there is neither. */
    @Nullable String get(Control control) {
        String query = get();
        if (view == null) {
            return query;
        }
        String saved = control.views().stream().filter(each -> each.name().equals(view)).findFirst()
                .map(SavedView::q).orElseThrow(() -> new CliException(ExitCode.NOT_FOUND,
                        "there is no view '" + view + "'; 'heddle view list' shows all"));
        return query == null || saved.isBlank() ? query == null ? saved : query : "(" + saved + ") (" + query + ")";
    }

    /** Returns a query that can be parsed. */
    static String checked(String query) {
        try {
            QueryParser.parse(query, Instant.EPOCH);
            return query;
        } catch (QuerySyntaxException e) {
            throw CliException.usage(e.getMessage() + System.lineSeparator()
                    + e.caret().indent(2).stripTrailing());
        }
    }
}
