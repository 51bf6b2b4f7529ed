package dev.heddle.control.local;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import dev.heddle.control.model.JobTree;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.JobReader;

/**
 * Reads the descendants of a job one generation after the other, which makes a limit leave out the most distant ones.
 */
final class FamilyTreeReader {

    private final JobReader jobs;
    private int remaining;

    FamilyTreeReader(JobReader jobs, int limit) {
        this.jobs = jobs;
        this.remaining = limit;
    }

    /** A job whose children are filled in once its whole generation is known. */
    private static final class Branch {
        final Job job;
        List<Branch> children = List.of();
        Map<JobState, Long> counts = Map.of();

        Branch(Job job) {
            this.job = job;
        }

        JobTree toTree() {
            long all = counts.values().stream().mapToLong(Long::longValue).sum();
            return new JobTree(Views.job(job), counts, children.stream().map(Branch::toTree).toList(),
                    Math.max(0, all - children.size()));
        }
    }

    JobTree read(Job root, int generations) {
        remaining--;
        Branch trunk = new Branch(root);
        List<Branch> generation = List.of(trunk);
        for (int left = generations - 1; !generation.isEmpty(); left--) {
            List<Branch> next = new ArrayList<>();
            for (Branch branch : generation) {
                readChildren(branch, left > 0 ? remaining : 0);
                remaining -= branch.children.size();
                next.addAll(branch.children);
            }
            generation = next;
        }
        return trunk.toTree();
    }

    /** Reads one child more than allowed: only if there is one, counting the children takes another query. */
    private void readChildren(Branch branch, int max) {
        List<Job> found = jobs.list(JobQuery.all().parent(branch.job.id()).after(0).limit(max + 1));
        branch.children = found.stream().limit(max).map(Branch::new).toList();
        branch.counts = found.size() <= max ? countByState(found)
                : jobs.details(branch.job.id()).map(JobDetails::children).orElseGet(() -> countByState(found));
    }

    private static Map<JobState, Long> countByState(List<Job> jobs) {
        Map<JobState, Long> counts = new EnumMap<>(JobState.class);
        jobs.forEach(job -> counts.merge(job.state(), 1L, Long::sum));
        return counts;
    }
}
