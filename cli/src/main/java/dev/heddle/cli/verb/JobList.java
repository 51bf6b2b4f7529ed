package dev.heddle.cli.verb;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Exit;
import dev.heddle.control.Control;
import dev.heddle.control.JobFilter;
import dev.heddle.control.JobPage;
import dev.heddle.control.JobView;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The newest jobs. */
@Command(name = "list", description = "List jobs, newest first.")
final class JobList extends Question {

    @Mixin private final Filter filter = new Filter();

    @Option(names = {"-s",
        "--state"}, paramLabel = "STATE", split = ",", converter = States.class, description = "Only jobs in this state; may be given more than once, or several with commas.") private Set<JobState> states = new LinkedHashSet<>();

    @Option(names = "--text", paramLabel = "WORDS", description = "Only jobs in one attempt of which an agent said, or was told, all these words.") private @Nullable String text;

    @Option(names = {"-n",
        "--limit"}, paramLabel = "N", converter = AtLeastOne.class, description = "The most jobs; default 50.") private int limit = 50;

    JobList(Desk desk) {
        super(desk, Access.Intent.LOOK);
    }

    @Override
    Exit ask(Control control) {
        List<JobView> jobs = list(control, filter.filter().states(states.toArray(JobState[]::new)).text(text),
                limit);
        format().many(screen(), jobs,
                found -> JobViews.table(desk().clock().instant()).print(screen(), found));
        return Exit.OK;
    }

    /** Page after page. */
    private static List<JobView> list(Control control, JobFilter filter, int limit) {
        List<JobView> jobs = new ArrayList<>();
        JobFilter next = filter;
        while (true) {
            JobPage page = control.jobs(next.limit(Math.min(limit - jobs.size(), Control.MOST_LISTED)));
            jobs.addAll(page.jobs());
            if (page.next() == null || jobs.size() >= limit) {
                return jobs;
            }
            next = next.cursor(page.next());
        }
    }
}
