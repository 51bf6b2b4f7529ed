package dev.heddle.pool;

import java.time.Instant;
import java.util.List;

import dev.heddle.job.JobRequest;
import dev.heddle.store.NewJob;
import dev.heddle.store.Submission;

/** Makes of requests what a store takes: their payloads as JSON, checked, with the capacity of their queues. */
record Enrolment(PoolSettings settings, Codec codec) {

    /** @param bounded whether a full queue may refuse them */
    Submission submission(List<? extends JobRequest<?, ?>> requests, Instant now, boolean bounded) {
        return new Submission(requests.stream().map(request -> newJob(request, now, bounded)).toList());
    }

    private NewJob newJob(JobRequest<?, ?> request, Instant now, boolean bounded) {
        String what = "payload of job type '" + request.type() + "'";
        var spec = request.spec(storable(codec.write(request.payload(), what), what), now);
        int capacity = bounded ? settings.capacityOf(spec.queue()) : NewJob.UNLIMITED;
        return new NewJob(spec, request.notBefore(now).orElse(null), capacity);
    }

    /** Returns the JSON, or says clearly why it cannot be stored. */
    String storable(String json, String what) {
        // A string has at least as many bytes as characters, so short ones need no count.
        if (json.length() > settings.payloadLimit() / 3 && Codec.size(json) > settings.payloadLimit()) {
            throw new IllegalArgumentException(
                    what + " is " + Codec.size(json) + " bytes of JSON, over the limit of "
                            + settings.payloadLimit()
                            + "; keep the data elsewhere and pass a reference, or raise payloadLimit");
        }
        if (Codec.hasNul(json)) {
            throw new IllegalArgumentException(what
                    + " has the character U+0000, which not every store can keep; leave it out");
        }
        if (Codec.hasLoneSurrogate(json)) {
            throw new IllegalArgumentException(what
                    + " has half of a surrogate pair, which is no character; leave it out");
        }
        return json;
    }
}
