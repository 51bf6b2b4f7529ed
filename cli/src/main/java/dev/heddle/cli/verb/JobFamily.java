package dev.heddle.cli.verb;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Spans;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.JobTree;
import dev.heddle.control.JobView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A job with its children, and theirs. */
@Command(name = "tree", description = "Show a job with its children, and theirs.")
final class JobFamily extends Question {

    @Parameters(paramLabel = "ID", description = "The job, by its id or the beginning of it.") @SuppressWarnings("NullAway.Init") // set before call()
    private String id;

    @Option(names = "--generations", paramLabel = "N", description = "How many, the job's own included, from 1 to 20; default 5.") private int generations = 5;

    @Option(names = "--limit", paramLabel = "N", description = "The most jobs, from 1 to 1000, nearer generations first; default 100.") private int limit = 100;

    JobFamily(Desk desk) {
        super(desk, Access.Intent.LOOK);
    }

    @Override
    Exit ask(Control control) {
        format().one(screen(), control.tree(id, generations, limit), this::print);
        return Exit.OK;
    }

    private void print(JobTree tree) {
        List<Row> rows = new ArrayList<>();
        add(rows, tree, "", "");
        table(desk().clock().instant()).print(screen(), rows);
    }

    /** One line; where it has no job, it says how many are left out there. */
    private record Row(String branch, @Nullable JobTree tree, long more) {

        String name() {
            return branch + (tree == null ? String.format(Locale.ROOT, "… %,d more", more) : tree.job().id());
        }
    }

    private static void add(List<Row> rows, JobTree tree, String branch, String below) {
        rows.add(new Row(branch, tree, 0));
        int last = tree.children().size() - (tree.more() == 0 ? 1 : 0);
        for (int i = 0; i < tree.children().size(); i++) {
            add(rows, tree.children().get(i), below + (i == last ? "└─ " : "├─ "),
                    below + (i == last ? "   " : "│  "));
        }
        if (tree.more() > 0) {
            rows.add(new Row(below + "└─ ", null, tree.more()));
        }
    }

    private static Table<Row> table(Instant now) {
        return new Table<Row>().column("JOB", Row::name)
                .elastic("TYPE", row -> of(row, JobView::type))
                .column("STATE", row -> of(row, job -> job.state().name()),
                        row -> row.tree == null ? Style.PLAIN : JobViews.style(row.tree.job().state()))
                .number("TRY", row -> of(row, job -> String.valueOf(job.attempt())))
                .number("AGE", row -> of(row, job -> Spans.coarse(Duration.between(job.createdAt(), now))))
                .elastic("NOTE", row -> of(row, job -> note(row, job, now)));
    }

    private interface Cell {
        String of(JobView job);
    }

    private static String of(Row row, Cell cell) {
        return row.tree == null ? "" : cell.of(row.tree.job());
    }

    private static String note(Row row, JobView job, Instant now) {
        String children = row.tree == null ? "" : JobViews.counts(row.tree.counts());
        String note = JobViews.note(job, now);
        return children + (children.isEmpty() || note.isEmpty() ? "" : "; ") + note;
    }
}
