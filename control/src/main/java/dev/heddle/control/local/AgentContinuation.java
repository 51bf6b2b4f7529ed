package dev.heddle.control.local;

import java.util.List;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.ContinueDraft;
import dev.heddle.control.model.SubmitResult;
import dev.heddle.job.Job;
import dev.heddle.run.Run;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Lets an agent go on where the last attempt of a job ended, in a new job. */
record AgentContinuation(Backend backend, SubmissionGate gate) {

    /** The header of the new job that has the id of the old one. */
    static final String FROM = "heddle-continues";

    SubmitResult submit(Job job, ContinueDraft draft) {
        String comment = InputChecks.present("comment", draft.comment());
        if (comment.isBlank()) {
            throw ControlException.invalid("comment is blank; say what the agent should do next");
        }
        if (!job.state().isFinal() || job.status().node() != null) {
            throw new ControlException(Kind.CONFLICT, "cannot continue job " + job.id() + ": it is " + job.state()
                    + "; wait for its end, or cancel it first");
        }
        Resubmission submission = new Resubmission(backend, gate);
        ObjectNode payload = Resubmission.payload(job) instanceof ObjectNode object ? object
                : JsonNodeFactory.instance.objectNode();
        payload.remove("session");
        payload.set("continues", continuation(job, comment));
        return submission.submit(job, payload, draft.id(), FROM);
    }

    /** Returns what {@code dev.heddle.agent.Continuation} reads. */
    private ObjectNode continuation(Job job, String comment) {
        List<Run> runs = backend.runs(job.id()).stream().filter(run -> run.usage() != null).toList();
        if (runs.isEmpty()) {
            throw new ControlException(Kind.CONFLICT,
                    "cannot continue job " + job.id() + ": no agent ran; submit it again with 'heddle job resubmit'");
        }
        Run run = runs.getLast();
        Run.Usage usage = run.usage();
        if (usage == null || usage.session() == null) {
            throw new ControlException(Kind.CONFLICT, "cannot continue job " + job.id() + ": its agent '"
                    + (usage == null ? "" : usage.agent()) + "' has named no session to resume");
        }
        Run.@Nullable Work work = run.work();
        return JsonNodeFactory.instance.objectNode().put("job", job.id().toString()).put("attempt", run.attempt())
                .put("place", run.place()).put("session", usage.session()).put("ref", work == null ? null : work.ref())
                .put("comment", comment);
    }
}
