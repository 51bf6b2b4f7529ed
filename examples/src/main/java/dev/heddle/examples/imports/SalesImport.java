package dev.heddle.examples.imports;

import java.util.List;

import dev.heddle.examples.imports.Sales.Part;
import dev.heddle.examples.imports.Sales.Report;
import dev.heddle.examples.imports.Sales.Total;
import dev.heddle.job.Children;
import dev.heddle.job.Failure;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobType;
import dev.heddle.job.TwoPhaseHandler;

/**
 * Splits a file into parts and adds up the totals of the parts. It holds no worker while it waits for them. If the
 * process dies during {@code ingest}, nothing was spawned; if it dies later, the parts are still there.
 */
final class SalesImport implements TwoPhaseHandler<Sales, Report> {

    static final JobType<Sales, Report> IMPORT = JobType.of("import-sales", Sales.class, Report.class);
    static final JobType<Part, Total> PARSE = JobType.of("parse-part", Part.class, Total.class);

    private static final int LINES = 100;

    @Override
    public void ingest(Sales sales, JobContext job) {
        List<String> lines = sales.lines();
        for (int from = 0; from < lines.size(); from += LINES) {
            List<String> some = lines.subList(from, Math.min(from + LINES, lines.size()));
            job.spawn(PARSE.with(new Part(some)).subject(sales.file() + ":" + (from + 1)));
        }
    }

    @Override
    public Report aggregate(Sales sales, Children parts, JobContext job) {
        Total total = parts.results(PARSE).reduce(new Total(0, 0), Total::plus);
        List<String> rejected = parts.stream().flatMap(part -> part.job().failure().stream())
                .map(Failure::message).toList();
        return new Report(total, rejected);
    }

    /** Handles a child job. */
    static Total parse(Part part, JobContext job) {
        long cents = 0;
        for (int i = 0; i < part.lines().size(); i++) {
            job.cancellation().throwIfCancelled();
            String[] columns = part.lines().get(i).split(";", -1);
            if (columns.length != 2 || !columns[1].matches("\\d{1,9}")) {
                throw JobException.permanent(
                        job.subject().orElse("") + " +" + i + ": not a sale: '" + part.lines().get(i) + "'");
            }
            cents += Long.parseLong(columns[1]);
        }
        return new Total(part.lines().size(), cents);
    }
}
