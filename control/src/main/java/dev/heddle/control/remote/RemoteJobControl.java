package dev.heddle.control.remote;

import java.net.URI;
import java.util.Map;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.JobControl;
import dev.heddle.control.http.Endpoints;
import dev.heddle.control.model.JobDetail;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.ProgressBody;
import dev.heddle.control.model.SpawnResult;
import dev.heddle.job.JobId;

import static dev.heddle.control.remote.EndpointRequest.to;

/** Asks the node that runs this process as part of a job. */
public final class RemoteJobControl implements JobControl {

    /** The variable with the address of the node. */
    public static final String URL = "HEDDLE_API_URL";

    /** The variable with the token of the job. */
    public static final String TOKEN = "HEDDLE_JOB_TOKEN";

    private final NodeConnection node;

    private RemoteJobControl(NodeConnection node) {
        this.node = node;
    }

    /** Returns a control that acts with the token of a job. */
    public static RemoteJobControl at(URI base, String token) {
        return new RemoteJobControl(new NodeConnection(base, token, null, null, false, NodeConnection.Waiting.NONE));
    }

    /**
     * Returns a control with the address and the token that the node has passed to this process.
     *
     * @param environment the variables of this process
     * @throws ControlException if this is not the process of a job
     */
    public static RemoteJobControl of(Map<String, String> environment) {
        String url = environment.get(URL);
        String token = environment.get(TOKEN);
        if (url == null || token == null) {
            throw new ControlException(Kind.INVALID, "this is not the process of a job: " + (url == null ? URL : TOKEN)
                    + " is not set; a node sets it for commands and agents");
        }
        try {
            return at(URI.create(url), token);
        } catch (IllegalArgumentException e) {
            throw new ControlException(Kind.INVALID, URL + " is not an address: " + e.getMessage(), e);
        }
    }

    @Override
    public JobDetail job() {
        return node.send(to(Endpoints.OWN_JOB));
    }

    @Override
    public ProgressBody progress(ProgressBody progress) {
        return node.send(to(Endpoints.OWN_PROGRESS).body(progress));
    }

    /** Chooses the id of the child here, which makes it safe to repeat a request whose response was lost. */
    @Override
    public SpawnResult spawn(JobDraft child) {
        return node.send(
                to(Endpoints.SPAWN).body(child.id() == null ? child.id(JobId.next().toString()) : child));
    }
}
