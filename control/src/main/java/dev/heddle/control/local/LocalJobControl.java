package dev.heddle.control.local;

import java.util.Objects;

import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.JobControl;
import dev.heddle.control.model.JobDetail;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.ProgressBody;
import dev.heddle.control.model.SpawnResult;
import dev.heddle.job.JobCaller;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobContext;

import static dev.heddle.control.local.ExceptionTranslator.translating;
import static java.util.Objects.requireNonNull;

/**
 * Acts for an attempt that runs in this process. What it writes is bound to the attempt: if another node has taken the
 * job over, it is refused.
 */
public final class LocalJobControl implements JobControl {

    private final JobCaller caller;
    private final Control control;

    /**
     * Creates a control for one attempt.
     *
     * @param control reads the job
     */
    public LocalJobControl(JobCaller caller, Control control) {
        this.caller = requireNonNull(caller, "caller");
        this.control = requireNonNull(control, "control");
    }

    @Override
    public JobDetail job() {
        return control.job(caller.job().id().toString());
    }

    @Override
    public ProgressBody progress(ProgressBody progress) {
        Long current = progress.current();
        if (current == null) {
            throw ControlException.invalid("current is missing; say how much is done");
        }
        translating(() -> {
            caller.job().progress(current, Objects.requireNonNullElse(progress.total(), 0L),
                    Objects.requireNonNullElse(progress.message(), ""));
            return progress;
        });
        return progress;
    }

    @Override
    public SpawnResult spawn(JobDraft child) {
        JobContext job = caller.job();
        if (child.parent() != null && !child.parent().equals(job.id().toString())) {
            throw new ControlException(Kind.DENIED, "a job may submit children of its own only; leave out the parent");
        }
        // The job completes as soon as its process has ended, and must not take its children with it.
        var request = JobRequests.of(child, null).outlivesParent();
        SubmissionGate.ofJob(caller.spawns()).requireSubmittable(child, null);
        try {
            return translating(() -> new SpawnResult(job.spawn(request).toString()));
        } catch (JobCancelledException e) {
            throw new ControlException(Kind.CONFLICT, "the attempt has ended or must stop: " + e.getMessage(), e);
        }
    }
}
