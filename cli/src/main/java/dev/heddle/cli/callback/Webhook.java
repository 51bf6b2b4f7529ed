package dev.heddle.cli.callback;

import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.heddle.cli.config.WebhookSecret;
import dev.heddle.control.ControlJson;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobHandler;
import tools.jackson.databind.JsonNode;

/**
 * Posts its payload to a URL, signed as the Standard Webhooks specification describes. The signature covers the id and
 * the time of the delivery, so that a receiver can refuse copies. Temporary errors are retried by the policy of the
 * job; the id stays the same across retries.
 */
record Webhook(URI uri, List<WebhookSecret> secrets, WebhookClient http, InstantSource clock)
        implements
            JobHandler<JsonNode, Integer> {

    @Override
    public Integer handle(JsonNode payload, JobContext job) throws IOException, InterruptedException {
        int status;
        try {
            String body = ControlJson.write(payload);
            status = http.post(uri, headers(job.id().toString(), body), body);
        } catch (PrivateAddressException e) {
            throw JobException.permanent(String.valueOf(e.getMessage()), e).withoutStackTrace();
        }
        if (status / 100 == 2) {
            return status;
        }
        String message = uri.getHost() + " returned HTTP " + status;
        boolean retryable = status >= 500 || status == 408 || status == 425 || status == 429;
        throw (retryable ? JobException.transientFailure(message) : JobException.permanent(message))
                .withoutStackTrace();
    }

    private Map<String, String> headers(String id, String body) {
        long timestamp = clock.instant().getEpochSecond();
        return Map.of("webhook-id", id, "webhook-timestamp", String.valueOf(timestamp), "webhook-signature",
                secrets.stream().map(secret -> secret.sign(id, timestamp, body)).collect(Collectors.joining(" ")));
    }
}
