package dev.heddle.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.JobDraft;

/**
 * Job types that nobody but this machine may submit: whoever can submit a command line can do whatever the node's user
 * can, and a token that leaks must not be enough for that.
 */
record HereOnly(Set<String> types) {

    /** What a proxy adds to what it passes on; it may well be on this machine, while who asks it is not. */
    private static final List<String> PASSED_ON = List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host",
            "X-Real-IP", "Via");

    List<JobDraft> admit(List<JobDraft> drafts, Call call) {
        for (JobDraft draft : drafts) {
            if (draft != null && draft.type() != null && types.contains(draft.type()) && !isFromHere(call)) {
                throw new ControlException(Kind.DENIED, "jobs of type '" + draft.type()
                        + "' are command lines, which are taken from this machine only; set server.allowRun to change that");
            }
        }
        return drafts;
    }

    private static boolean isFromHere(Call call) {
        var request = call.context().req();
        try {
            return InetAddress.getByName(request.getRemoteAddr()).isLoopbackAddress()
                    && PASSED_ON.stream().allMatch(header -> request.getHeader(header) == null);
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
