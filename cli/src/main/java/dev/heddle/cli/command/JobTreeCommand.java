package dev.heddle.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.JobTree;
import dev.heddle.control.model.JobView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints a job and its descendants as a tree. */
@Command(name = "tree", description = "Show a job and its descendants as a tree.")
final class JobTreeCommand extends ControlCommand {

    @Mixin
    private final JobIdParameter id = new JobIdParameter();

    @Option(names = "--generations", paramLabel = "N",
            description = "Generations to show, including the job itself, 1 to 20 (default: 5).")
    private int generations = 5;

    @Option(names = "--limit", paramLabel = "N",
            description = "Maximum number of jobs, 1 to 1000, closest generations first (default: 100).")
    private int limit = 100;

    @Mixin
    private final FullIdsOption fullIds = new FullIdsOption();

    JobTreeCommand(CliContext context) {
        super(context, Intent.READ);
    }

    @Override
    ExitCode execute(Control control) {
        format().one(output(), control.tree(id.get(), generations, limit), tree -> print(tree, control));
        return ExitCode.OK;
    }

    private void print(JobTree tree, Control control) {
        List<Row> rows = new ArrayList<>();
        add(rows, tree, "", "");
        ShownIds ids = fullIds.shown(output(), control,
                rows.stream().flatMap(row -> Stream.ofNullable(row.tree)).map(shown -> shown.job().id()).toList());
        table(now(), ids).print(output(), rows);
    }

    /** One line of the tree: a job, or the number of jobs left out if there is no job. */
    private record Row(String branch, @Nullable JobTree tree, long more) {

        String name(ShownIds ids) {
            return branch + (tree == null ? String.format(Locale.ROOT, "… %,d more", more) : ids.of(tree.job().id()));
        }
    }

    private static void add(List<Row> rows, JobTree tree, String branch, String below) {
        rows.add(new Row(branch, tree, 0));
        int last = tree.children().size() - (tree.more() == 0 ? 1 : 0);
        for (int i = 0; i < tree.children().size(); i++) {
            add(rows, tree.children().get(i), below + (i == last ? "└─ " : "├─ "), below + (i == last ? "   " : "│  "));
        }
        if (tree.more() > 0) {
            rows.add(new Row(below + "└─ ", null, tree.more()));
        }
    }

    private static Table<Row> table(Instant now, ShownIds ids) {
        return new Table<Row>().column("JOB", row -> row.name(ids)).elastic("TYPE", row -> of(row, JobView::type))
                .column("STATE", row -> of(row, job -> job.state().name()),
                        row -> row.tree == null ? Style.PLAIN : JobFormat.style(row.tree.job().state()))
                .number("ATTEMPT", row -> of(row, job -> String.valueOf(job.attempt())))
                .number("AGE", row -> of(row, job -> Durations.coarse(Duration.between(job.createdAt(), now))))
                .elastic("NOTE", row -> of(row, job -> note(row, job, now)));
    }

    private interface Cell {
        String of(JobView job);
    }

    private static String of(Row row, Cell cell) {
        return row.tree == null ? "" : cell.of(row.tree.job());
    }

    private static String note(Row row, JobView job, Instant now) {
        String children = row.tree == null ? "" : JobFormat.counts(row.tree.counts());
        String note = JobFormat.note(job, now);
        return children + (children.isEmpty() || note.isEmpty() ? "" : "; ") + note;
    }
}
