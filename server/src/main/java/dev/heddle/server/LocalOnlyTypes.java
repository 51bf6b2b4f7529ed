package dev.heddle.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.JobDraft;

/**
 * The job types that only clients on this machine may submit. A job that runs a command line can do everything that the
 * user of the node can do, and a leaked token must not be enough for that.
 */
record LocalOnlyTypes(Set<String> types) {

    /** Headers that proxies add. A proxy may run on this machine and forward requests from others. */
    private static final List<String> PROXY_HEADERS = List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host",
            "X-Real-IP", "Via");

    /** Returns the drafts, or refuses all of them if one is local-only and the request is not local. */
    List<JobDraft> admit(List<JobDraft> drafts, ApiRequest request) {
        for (JobDraft draft : drafts) {
            if (draft != null && draft.type() != null && types.contains(draft.type()) && !isLocal(request)) {
                throw new ControlException(Kind.DENIED, "jobs of type '" + draft.type()
                        + "' run command lines and are accepted from this machine only; set server.allowRun to change that");
            }
        }
        return drafts;
    }

    private static boolean isLocal(ApiRequest request) {
        var http = request.context().req();
        try {
            return InetAddress.getByName(http.getRemoteAddr()).isLoopbackAddress()
                    && PROXY_HEADERS.stream().allMatch(header -> http.getHeader(header) == null);
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
