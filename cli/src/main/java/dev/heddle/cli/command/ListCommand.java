package dev.heddle.cli.command;

import java.time.Instant;
import java.util.List;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.PollingConnection;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import picocli.CommandLine.Mixin;

/**
 * A command that lists something: as a table, as JSON or as bare ids, once or again and again.
 *
 * @param <T> what it lists
 */
abstract class ListCommand<T> extends OutputCommand {

    @Mixin
    private final ListOptions options = new ListOptions();

    private record Listing<T>(List<T> items, ShownIds ids) {}

    ListCommand(CliContext context) {
        super(context);
    }

    /** Rejects invalid parameters before connecting. */
    void validate() {}

    /** Returns what to list. */
    abstract List<T> fetch(Control control);

    /** Returns the id or name by which other commands know an item. */
    abstract String id(T item);

    /** Returns the ids of jobs that the table shows. */
    List<String> jobIds(List<T> items) {
        return List.of();
    }

    /** Prints the items as a table. */
    abstract void print(List<T> items, ShownIds ids);

    @Override
    final ExitCode run() throws InterruptedException {
        options.validate(format());
        validate();
        Integer seconds = options.watch();
        try (PollingConnection connection = new PollingConnection(context())) {
            while (true) {
                Listing<T> listing = connection.request(node -> listing(node.control()));
                if (seconds != null) {
                    output().clear();
                }
                print(listing);
                if (seconds == null) {
                    return ExitCode.OK;
                }
                Thread.sleep(seconds * 1_000L);
            }
        }
    }

    private Listing<T> listing(Control control) {
        List<T> items = fetch(control);
        boolean table = format().isTable() && !options.quiet();
        return new Listing<>(items,
                table ? options.ids().shown(output(), control, jobIds(items)) : ShownIds.FULL);
    }

    private void print(Listing<T> listing) {
        if (options.quiet()) {
            listing.items.forEach(item -> output().print(id(item)));
        } else {
            format().many(output(), listing.items, items -> print(items, listing.ids));
        }
    }

    /** Prints a table, with or without titles as the options say. */
    final <R> void print(Table<R> table, List<R> rows) {
        table.headers(options.headers()).print(output(), rows);
    }

    final Instant now() {
        return context().clock().instant();
    }
}
