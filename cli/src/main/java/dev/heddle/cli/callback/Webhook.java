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
 * Sends its payload to somebody, signed: {@code Heddle-Signature} is {@code sha256=} and the HMAC-SHA256 of the body, by which
 * the other side knows who sent it. What may pass is tried again, by the rules of the job; {@code Heddle-Delivery} stays the same.
 */
record Webhook(URI uri, String secret, HttpClient http) implements JobHandler<JsonNode, Integer> {

    private static final Duration LONGEST = Duration.ofSeconds(30);

    @Override
    public Integer handle(JsonNode payload, JobContext job) throws IOException, InterruptedException {
        String body = ControlJson.write(payload);
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(LONGEST)
                .header("Content-Type", "application/json")
                .header("Heddle-Delivery", job.id().toString())
                .header("Heddle-Signature", "sha256=" + signature(secret, body))
                .POST(BodyPublishers.ofString(body)).build();
        HttpResponse<Void> answer = http.send(request, BodyHandlers.discarding());
        int status = answer.statusCode();
        if (status / 100 == 2) {
            return status;
        }
        String message = uri.getHost() + " answered with " + status;
        boolean mayPass = status >= 500 || status == 408 || status == 425 || status == 429;
        throw mayPass ? JobException.transientFailure(message) : JobException.permanent(message);
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
