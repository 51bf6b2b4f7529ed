package dev.heddle.cli.command;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.heddle.cli.access.CliContext;
import dev.heddle.control.Control;
import dev.heddle.control.model.JobFilter;
import dev.heddle.control.model.JobPage;
import dev.heddle.control.model.JobView;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists jobs. */
@Command(name = "list", description = "List jobs, newest first.", footerHeading = "%nExamples:%n", footer = {
    "  heddle job list 'state:failed error:\"timed out\" created:<2h'",
    "  heddle job list --state failed,running --type mail", "  heddle job list -n 500 -o jsonl"})
final class JobListCommand extends ListCommand<JobView> {

    @Mixin
    private final QueryParameter query = new QueryParameter();

    @Mixin
    private final JobFilterOptions filter = new JobFilterOptions();

    @Option(names = {"-s", "--state"}, paramLabel = "STATE", split = ",", converter = JobStateConverter.class,
            description = "Only jobs in these states; repeatable or comma-separated.")
    private Set<JobState> states = new LinkedHashSet<>();

    @Option(names = "--text", paramLabel = "WORDS",
            description = "Only jobs whose conversation with an agent contains all these words in one attempt.")
    private @Nullable String text;

    @Option(names = {"-n", "--limit"}, paramLabel = "N", converter = PositiveIntConverter.class,
            description = "Maximum number of jobs (default: 50).")
    private int limit = 50;

    JobListCommand(CliContext context) {
        super(context);
    }

    @Override
    void validate() {
        query.get();
    }

    @Override
    List<JobView> fetch(Control control) {
        List<JobView> jobs = new ArrayList<>();
        JobFilter next = filter.filter().states(states.toArray(JobState[]::new)).text(text).q(query.get(control));
        while (true) {
            JobPage page = control.jobs(next.limit(Math.min(limit - jobs.size(), Control.MOST_LISTED)));
            jobs.addAll(page.jobs());
            if (page.next() == null || jobs.size() >= limit) {
                return jobs;
            }
            next = next.cursor(page.next());
        }
    }

    @Override
    String id(JobView job) {
        return job.id();
    }

    @Override
    List<String> jobIds(List<JobView> jobs) {
        return jobs.stream().map(JobView::id).toList();
    }

    @Override
    void print(List<JobView> jobs, ShownIds ids) {
        print(JobFormat.table(now(), ids), jobs);
    }
}
