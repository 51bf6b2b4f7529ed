package dev.heddle.control;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Story;

/** Reads the tree below a job, generation by generation, so that what a limit leaves out is the farthest. */
final class Genealogy {

    private final Ground ground;
    private int room;

    Genealogy(Ground ground, int limit) {
        this.ground = ground;
        this.room = limit;
    }

    /** A job whose children are read later than itself. */
    private static final class Branch {
        final Job job;
        List<Branch> children = List.of();
        Map<JobState, Long> counts = Map.of();

        Branch(Job job) {
            this.job = job;
        }

        JobTree tree() {
            long all = counts.values().stream().mapToLong(Long::longValue).sum();
            return new JobTree(JobView.of(job), counts, children.stream().map(Branch::tree).toList(),
                    Math.max(0, all - children.size()));
        }
    }

    JobTree below(Job root, int generations) {
        room--;
        Branch trunk = new Branch(root);
        List<Branch> generation = List.of(trunk);
        for (int left = generations - 1; !generation.isEmpty(); left--) {
            List<Branch> next = new ArrayList<>();
            for (Branch branch : generation) {
                grow(branch, left > 0 ? room : 0);
                room -= branch.children.size();
                next.addAll(branch.children);
            }
            generation = next;
        }
        return trunk.tree();
    }

    /** Whoever has all his children here needs no second look to count them. */
    private void grow(Branch branch, int most) {
        List<Job> found = ground.list(JobQuery.all().parent(branch.job.id()).after(0).limit(most + 1));
        branch.children = found.stream().limit(most).map(Branch::new).toList();
        branch.counts = found.size() <= most ? counted(found)
                : ground.story(branch.job.id()).map(Story::children).orElseGet(() -> counted(found));
    }

    private static Map<JobState, Long> counted(List<Job> jobs) {
        Map<JobState, Long> counts = new EnumMap<>(JobState.class);
        jobs.forEach(job -> counts.merge(job.state(), 1L, Long::sum));
        return counts;
    }
}
