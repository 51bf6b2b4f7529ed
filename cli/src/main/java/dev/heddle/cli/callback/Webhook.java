package dev.heddle.cli.callback;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import dev.heddle.control.ControlJson;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobHandler;
import tools.jackson.databind.JsonNode;

/**
 * Posts its payload to a URL. The header {@code Heddle-Signature} is {@code sha256=} and the HMAC-SHA256 of the body,
 * so the receiver can verify the sender. Temporary errors are retried by the policy of the job; {@code Heddle-Delivery}
 * stays the same across retries.
 */
record Webhook(URI uri, String secret, HttpClient http) implements JobHandler<JsonNode, Integer> {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Override
    public Integer handle(JsonNode payload, JobContext job) throws IOException, InterruptedException {
        String body = ControlJson.write(payload);
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).header("Content-Type", "application/json")
                .header("Heddle-Delivery", job.id().toString())
                .header("Heddle-Signature", "sha256=" + signature(secret, body)).POST(BodyPublishers.ofString(body))
                .build();
        HttpResponse<Void> response = http.send(request, BodyHandlers.discarding());
        int status = response.statusCode();
        if (status / 100 == 2) {
            return status;
        }
        String message = uri.getHost() + " returned HTTP " + status;
        boolean retryable = status >= 500 || status == 408 || status == 425 || status == 429;
        throw (retryable ? JobException.transientFailure(message) : JobException.permanent(message))
                .withoutStackTrace();
    }

    static String signature(String secret, String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }
}
