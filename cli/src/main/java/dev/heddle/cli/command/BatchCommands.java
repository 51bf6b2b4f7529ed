package dev.heddle.cli.command;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.budget.Usd;
import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.batch.BatchUnits;
import dev.heddle.cli.shell.BatchProgress;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.model.BatchView;
import dev.heddle.control.model.UnitView;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** The commands of {@code heddle batch}, except {@code run}. */
final class BatchCommands {

    private BatchCommands() {}

    private static Table<BatchView> table(CliContext context, ShownIds ids) {
        return new Table<BatchView>().column("ID", batch -> ids.of(batch.id())).elastic("NAME", BatchView::name)
                .column("STATE", batch -> batch.waits() ? "APPROVAL" : batch.state().name(),
                        batch -> JobFormat.style(batch.state()))
                .number("UNITS", batch -> String.valueOf(batch.units()))
                .number("DONE", batch -> String.valueOf(batch.in(JobState.COMPLETED)))
                .number("FAILED", batch -> String.valueOf(batch.in(JobState.FAILED)))
                .number("COST", batch -> Usd.format(batch.usd())).number("AGE",
                        batch -> Durations.coarse(Duration.between(batch.createdAt(), context.clock().instant())));
    }

    @Command(name = "list", description = "List batches, newest first.")
    static final class ListAll extends ListCommand<BatchView> {
        ListAll(CliContext context) {
            super(context);
        }

        @Override
        List<BatchView> fetch(Control control) {
            return control.batches();
        }

        @Override
        String id(BatchView batch) {
            return batch.id();
        }

        @Override
        List<String> jobIds(List<BatchView> batches) {
            return batches.stream().map(BatchView::id).toList();
        }

        @Override
        void print(List<BatchView> batches, ShownIds ids) {
            print(table(context(), ids), batches);
        }
    }

    /** A command about one batch. */
    abstract static class BatchCommand extends ControlCommand {
        @Parameters(paramLabel = "BATCH",
                description = "Batch name (the newest batch of that name), job id, or a unique prefix of the id.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private String id;

        BatchCommand(CliContext context, Intent intent) {
            super(context, intent);
        }

        String id() {
            return id;
        }

        /** Tells the user how to continue if no node runs the units now. */
        final void hintIfNoNodeRuns() {
            if (!isNodeRunning()) {
                output().info("no node is running; repeat 'heddle batch run' to continue the batch");
            }
        }
    }

    @Command(name = "show", description = {"Show the progress of a batch and the state of its units.",
        "Exits with 1 if the batch has ended and a unit failed or was cancelled."})
    static final class Show extends BatchCommand {
        Show(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            BatchView found = control.batch(id());
            format().one(output(), found, batch -> {
                table(context(), ShownIds.FULL).print(output(), List.of(batch));
                output().print("");
                units(batch).print(output(), BatchUnits.all(control, batch.id()));
                output().info(BatchProgress.summary(batch));
            });
            return found.state().isFinal() && found.state() != JobState.COMPLETED ? ExitCode.FAILED : ExitCode.OK;
        }

        private static Table<UnitView> units(BatchView batch) {
            return new Table<UnitView>().column("UNIT", UnitView::id)
                    .column("STATE", unit -> state(unit, batch).name(), unit -> JobFormat.style(state(unit, batch)))
                    .number("ATTEMPT", unit -> String.valueOf(unit.attempt()))
                    .number("COST", unit -> unit.usd() == null ? "" : Usd.format(unit.usd()))
                    .elastic("PAYLOAD", unit -> unit.unit().toString())
                    .elastic("NOTE", unit -> Objects.requireNonNullElse(note(unit, batch), ""));
        }

        /** Shows queued units that a budget holds as PAUSED, as all lists do. */
        private static JobState state(UnitView unit, BatchView batch) {
            return unit.state() == JobState.QUEUED && batch.held() != null ? JobState.PAUSED : unit.state();
        }

        private static @Nullable String note(UnitView unit, BatchView batch) {
            return switch (state(unit, batch)) {
                case COMPLETED -> null;
                case PAUSED -> batch.held();
                case QUEUED, SCHEDULED, ASSIGNED, RUNNING, WAITING, FAILED, CANCELLED -> unit.error();
            };
        }
    }

    @Command(name = "results", description = {"Print the results of a batch, one unit per line, as JSON or CSV.",
        "CSV columns: the fields of the units, then job, state, text, error, usd, tokens, session."})
    static final class Results extends BatchCommand {

        @Option(names = "--csv", description = "Print CSV with a header line.")
        private boolean csv;

        Results(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            List<UnitView> units = BatchUnits.all(control, control.batch(id()).id());
            if (csv) {
                printCsv(units);
            } else if (format().isTable()) {
                units.forEach(unit -> output().printJson(ControlJson.write(unit)));
            } else {
                format().many(output(), units, _ -> {});
            }
            return ExitCode.OK;
        }

        private void printCsv(List<UnitView> units) {
            Set<String> fields = new LinkedHashSet<>();
            units.forEach(unit -> fields.addAll(unit.unit().propertyNames()));
            List<Map<String, String>> rows = units.stream().map(Results::row).toList();
            List<String> names = new ArrayList<>(fields);
            names.addAll(List.of("job", "state", "text", "error", "usd", "tokens", "session"));
            printCsv(names.stream());
            rows.forEach(row -> printCsv(names.stream().map(name -> row.getOrDefault(name, ""))));
        }

        /** The fields are data of others, of which a script must get every character. */
        private void printCsv(Stream<String> fields) {
            String line = fields.map(Results::quoted).collect(Collectors.joining(",", "", System.lineSeparator()));
            output().copy(line.getBytes(StandardCharsets.UTF_8), false);
        }

        private static Map<String, String> row(UnitView unit) {
            Map<String, String> row = new LinkedHashMap<>();
            unit.unit().properties().forEach(field -> row.put(field.getKey(), text(field.getValue())));
            row.put("job", unit.id());
            row.put("state", unit.state().name());
            JsonNode result = unit.result();
            row.put("text", result == null ? "" : text(result.has("text") ? result.get("text") : result));
            row.put("error", unit.error() == null ? "" : unit.error());
            row.put("usd", unit.usd() == null ? "" : unit.usd().toPlainString());
            row.put("tokens", String.valueOf(unit.tokens()));
            row.put("session", unit.session() == null ? "" : unit.session());
            return row;
        }

        private static String text(JsonNode value) {
            return value.isString() ? value.stringValue() : value.toString();
        }

        private static String quoted(String value) {
            return value.matches("(?s).*[\",\r\n].*") ? "\"" + value.replace("\"", "\"\"") + "\"" : value;
        }
    }

    @Command(name = "approve", description = "Run the remaining units of a batch that was started with --try.")
    static final class Approve extends BatchCommand {
        Approve(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        ExitCode execute(Control control) {
            boolean waited = control.batch(id()).waits();
            format().one(output(), control.approveBatch(id()), batch -> {
                table(context(), ShownIds.FULL).print(output(), List.of(batch));
                if (waited) {
                    hintIfNoNodeRuns();
                } else {
                    output().info("nothing was waiting for approval");
                }
            });
            return ExitCode.OK;
        }
    }

    @Command(name = "retry", description = {"Queue the failed units of a batch again.",
        "To retry a single unit, use 'heddle job retry' with its id."})
    static final class Retry extends BatchCommand {
        Retry(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.retryBatch(id()), queued -> {
                output().print(queued.count() == 1 ? "1 unit queued again" : queued.count() + " units queued again");
                if (queued.count() > 0) {
                    hintIfNoNodeRuns();
                }
            });
            return ExitCode.OK;
        }
    }
}
