package dev.heddle.engine.submit;

import java.time.Instant;
import java.util.List;

import dev.heddle.engine.support.JsonCheck;
import dev.heddle.engine.support.JsonCodec;
import dev.heddle.job.JobRequest;
import dev.heddle.job.Limits;
import dev.heddle.pool.PoolSettings;
import dev.heddle.store.NewJob;
import dev.heddle.store.Submission;

/** Encodes requests for the store: payloads as checked JSON, with the capacities of their queues. */
public record RequestEncoder(PoolSettings settings, JsonCodec codec, CurrentLimits limits) {

    /**
     * Encodes requests as one submission.
     *
     * @param bounded whether a full queue may refuse them
     */
    public Submission submission(List<? extends JobRequest<?, ?>> requests, Instant now, boolean bounded) {
        return new Submission(requests.stream().map(request -> newJob(request, now, bounded)).toList());
    }

    private NewJob newJob(JobRequest<?, ?> request, Instant now, boolean bounded) {
        String what = "payload of job type '" + request.type() + "'";
        var spec = limits.cover(request.spec(requireStorable(codec.write(request.payload(), what), what), now));
        var searchable = request.type().searchable();
        if (!searchable.isEmpty()) {
            spec = spec.withSearchable(SearchableValues.in(spec.payload(), searchable));
        }
        int capacity = bounded ? settings.capacityOf(spec.queue()) : NewJob.UNLIMITED;
        return new NewJob(spec, request.start(), capacity);
    }

    /** Returns the JSON if it can be stored; throws {@link IllegalArgumentException} if not. */
    String requireStorable(String json, String what) {
        // UTF-8 takes at most three bytes per char, so short strings need no count.
        if (json.length() > settings.payloadLimit() / 3) {
            Limits.payload(what, JsonCodec.size(json), settings.payloadLimit());
        }
        String problem = JsonCheck.problem(json);
        if (problem != null) {
            throw new IllegalArgumentException(what + " " + problem);
        }
        return json;
    }
}
