package dev.heddle.server;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.heddle.control.Control;
import dev.heddle.control.http.Endpoints;
import io.javalin.http.Context;

/** Sends a file that a job has left, as a download: a browser must never show what a job has written as a page. */
record ArtifactResponse(Control control) {

    void send(Context context) {
        ApiRequest request = new ApiRequest(context, 0);
        request.requireKnownParameters(List.of(Endpoints.ATTEMPT));
        String name = context.pathParam("name");
        var content = control.artifact(request.id(), name, request.number(Endpoints.ATTEMPT));
        String file = URLEncoder.encode(name.substring(name.lastIndexOf('/') + 1), StandardCharsets.UTF_8)
                .replace("+", "%20");
        context.contentType("application/octet-stream")
                .header("Content-Disposition", "attachment; filename*=UTF-8''" + file).result(content);
    }
}
