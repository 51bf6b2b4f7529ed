package dev.heddle.cli.verb;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.heddle.budget.Usd;
import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.BatchLine;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Screen;
import dev.heddle.cli.shell.Spans;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.BatchView;
import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.UnitPage;
import dev.heddle.control.UnitView;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** The commands about batches, but for the one that runs them. */
final class BatchVerbs {

    private BatchVerbs() {}

    private static Table<BatchView> table(Desk desk) {
        return new Table<BatchView>().column("ID", BatchView::id).elastic("NAME", BatchView::name)
                .column("STATE", batch -> batch.waits() ? "APPROVAL" : batch.state().name(),
                        batch -> JobViews.style(batch.state()))
                .number("UNITS", batch -> String.valueOf(batch.units()))
                .number("DONE", batch -> String.valueOf(batch.in(JobState.COMPLETED)))
                .number("FAILED", batch -> String.valueOf(batch.in(JobState.FAILED)))
                .number("COST", batch -> Usd.shown(batch.usd()))
                .number("AGE",
                        batch -> Spans.coarse(Duration.between(batch.createdAt(), desk.clock().instant())));
    }

    private static List<UnitView> units(Control control, String id) {
        List<UnitView> units = new ArrayList<>();
        UnitPage page = control.units(id, null, Control.MOST_LISTED);
        units.addAll(page.units());
        while (page.next() != null) {
            page = control.units(id, page.next(), Control.MOST_LISTED);
            units.addAll(page.units());
        }
        return units;
    }

    @Command(name = "list", description = "List batches, newest first.")
    static final class ListAll extends Question {
        ListAll(Desk desk) {
            super(desk, Access.Intent.LOOK);
        }

        @Override
        Exit ask(Control control) {
            format().many(screen(), control.batches(), batches -> table(desk()).print(screen(), batches));
            return Exit.OK;
        }
    }

    /** A command about one batch. */
    abstract static class OfOne extends Question {
        @Parameters(paramLabel = "BATCH", description = "The batch: its name, which means the newest that is called so, or the id of its job or the beginning of it.") @SuppressWarnings("NullAway.Init") // set before call()
        private String id;

        OfOne(Desk desk, Access.Intent intent) {
            super(desk, intent);
        }

        String id() {
            return id;
        }

        /** Says who will run the units, where nobody does now. */
        final void sayWhoRunsThem() {
            if (!isNodeThere()) {
                screen().say("no node is running here; the same 'heddle batch run' goes on with them");
            }
        }
    }

    @Command(name = "show", description = {"Show how far a batch is, and what became of its units."})
    static final class Show extends OfOne {
        Show(Desk desk) {
            super(desk, Access.Intent.LOOK);
        }

        @Override
        Exit ask(Control control) {
            format().one(screen(), control.batch(id()), batch -> {
                table(desk()).print(screen(), List.of(batch));
                screen().print("");
                units(batch).print(screen(), BatchVerbs.units(control, batch.id()));
                screen().say(BatchLine.summary(batch));
            });
            return Exit.OK;
        }

        private static Table<UnitView> units(BatchView batch) {
            return new Table<UnitView>().column("UNIT", UnitView::id)
                    .column("STATE", unit -> state(unit, batch).name(),
                            unit -> JobViews.style(state(unit, batch)))
                    .number("TRY", unit -> String.valueOf(unit.attempt()))
                    .number("COST", unit -> unit.usd() == null ? "" : Usd.shown(unit.usd()))
                    .elastic("PAYLOAD", unit -> Screen.harmless(unit.unit().toString()))
                    .elastic("NOTE", unit -> Objects.requireNonNullElse(note(unit, batch), ""));
        }

        /** What a budget holds is in the queue, and PAUSED as people see it: here as in every list. */
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

    @Command(name = "results", description = {
        "Print what came of the units: one JSON a line, or with --csv one row each.",
        "A row has the fields of the unit, then job, state, text, error, usd, tokens, session."})
    static final class Results extends OfOne {

        @Option(names = "--csv", description = "As CSV, with a first line of names.") private boolean csv;

        Results(Desk desk) {
            super(desk, Access.Intent.LOOK);
        }

        @Override
        Exit ask(Control control) {
            List<UnitView> units = units(control, control.batch(id()).id());
            if (csv) {
                csv(units);
            } else if (format().isForPeople()) {
                units.forEach(unit -> screen().print(ControlJson.write(unit)));
            } else {
                format().many(screen(), units, _ -> {});
            }
            return Exit.OK;
        }

        private void csv(List<UnitView> units) {
            Set<String> fields = new LinkedHashSet<>();
            units.forEach(unit -> fields.addAll(unit.unit().propertyNames()));
            List<Map<String, String>> rows = units.stream().map(Results::row).toList();
            List<String> names = new ArrayList<>(fields);
            names.addAll(List.of("job", "state", "text", "error", "usd", "tokens", "session"));
            screen().print(String.join(",", names.stream().map(Results::quoted).toList()));
            rows.forEach(row -> screen().print(
                    String.join(",",
                            names.stream().map(name -> quoted(row.getOrDefault(name, ""))).toList())));
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

    @Command(name = "approve", description = "Let the rest of a batch run of which only some units were tried.")
    static final class Approve extends OfOne {
        Approve(Desk desk) {
            super(desk, Access.Intent.CHANGE);
        }

        @Override
        Exit ask(Control control) {
            boolean waited = control.batch(id()).waits();
            format().one(screen(), control.approveBatch(id()), batch -> {
                table(desk()).print(screen(), List.of(batch));
                if (waited) {
                    sayWhoRunsThem();
                } else {
                    screen().say("none of its units waited for that");
                }
            });
            return Exit.OK;
        }
    }

    @Command(name = "retry", description = {"Queue the failed units of a batch again.",
        "One alone: 'heddle job retry' with its id."})
    static final class Retry extends OfOne {
        Retry(Desk desk) {
            super(desk, Access.Intent.CHANGE);
        }

        @Override
        Exit ask(Control control) {
            format().one(screen(), control.retryBatch(id()), queued -> {
                screen().print(queued.count() == 1 ? "1 unit is queued again"
                        : queued.count() + " units are queued again");
                if (queued.count() > 0) {
                    sayWhoRunsThem();
                }
            });
            return Exit.OK;
        }
    }
}
