package dev.heddle.engine.execute;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import dev.heddle.engine.support.JsonCodec;
import dev.heddle.job.Children;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;

/** The children of a job, read from the store one page at a time. */
public record StoredChildren(Store store, Reader reader, JobId parent, JsonCodec codec) implements Children {

    /** Reads from the store; decides what happens if that fails. */
    @FunctionalInterface
    public interface Reader {
        /** Returns what was read. */
        <T> T read(Supplier<T> reading);
    }

    private static final int PAGE = 500;

    @Override
    public Map<JobState, Long> counts() {
        return reader.read(() -> store.details(parent)).map(JobDetails::children).orElse(Map.of());
    }

    @Override
    public Stream<Child> stream() {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(new Pages(), Spliterator.ORDERED | Spliterator.NONNULL), false);
    }

    private record Stored(Job job, JsonCodec codec) implements Child {
        @Override
        public <R> Optional<R> result(JobType<?, R> type) {
            return job.result().map(json -> codec.read(json, type.resultType(), "result of child " + job.id()));
        }
    }

    private final class Pages implements Iterator<Child> {

        private final Deque<Job> page = new ArrayDeque<>();
        private long last;
        private boolean over;

        @Override
        public boolean hasNext() {
            if (page.isEmpty() && !over) {
                JobQuery rest = JobQuery.all().parent(parent).after(last).limit(PAGE);
                List<Job> next = reader.read(() -> store.list(rest));
                page.addAll(next);
                over = next.size() < PAGE;
            }
            return !page.isEmpty();
        }

        @Override
        public Child next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Job job = page.remove();
            last = job.seq();
            return new Stored(job, codec);
        }
    }
}
