package dev.heddle.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

import dev.heddle.command.WorkspaceSpec;
import dev.heddle.command.WorkspaceSpec.Location;
import dev.heddle.conversation.Tokens;
import dev.heddle.job.JobException;
import dev.heddle.job.JobId;
import dev.heddle.output.RunFiles;
import dev.heddle.run.Machine;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a job continues: the session of an earlier agent run, in a worktree with the work of that run, with the comment
 * of a person as the prompt. The field {@code continues} of the payload has it.
 *
 * @param job the job of the earlier run
 * @param attempt the attempt of the earlier run
 * @param place where the earlier run left its files, such as {@code host:/srv/app/.heddle}
 * @param session the session to resume
 * @param ref where the work of the earlier run is saved; null if it changed nothing
 * @param comment the prompt
 */
record Continuation(String job, int attempt, String place, String session, @Nullable String ref, String comment) {

    private static final String FIELD = "continues";
    private static final String INVALID = "the field 'continues' of the payload is invalid; 'heddle job continue' submits a valid one";

    /** Reads the continuation from a payload; empty if it has none. An invalid one is a permanent failure. */
    static Optional<Continuation> in(JsonNode payload) {
        JsonNode field = payload.get(FIELD);
        if (field == null || !field.isObject()) {
            return Optional.empty();
        }
        try {
            Continuation read = JsonMapper.shared().treeToValue(field, Continuation.class);
            if (read.job != null && read.place != null && read.session != null && read.comment != null
                    && (read.ref == null || read.ref.startsWith("refs/heddle/"))) {
                return Optional.of(read);
            }
        } catch (JacksonException e) {
            throw JobException.permanent(INVALID, e);
        }
        throw JobException.permanent(INVALID);
    }

    /** Returns the workspace with the work of the earlier run, if that is saved. */
    WorkspaceSpec workspace(WorkspaceSpec spec) {
        return ref != null && spec.location() instanceof Location.Worktree(Path repository, _)
                ? spec.worktree(repository, ref) : spec;
    }

    /** Fails if this is not the machine of the earlier run, which has the session and the saved work. */
    void requireMachine() {
        String machine = place.substring(0, Math.max(0, place.indexOf(':')));
        if (!machine.equals(Machine.name())) {
            throw JobException.permanent("the session of job " + job + " is stored on the machine '" + machine
                    + "' and cannot be resumed on '" + Machine.name()
                    + "'; give its type a handler on one machine only");
        }
    }

    /** Returns the tokens that the session has used so far, as far as this machine knows. */
    Tokens used(Path home) {
        try {
            return new AgentFiles(new RunFiles(home, JobId.of(job), attempt)).report().map(AgentReport::ofSession)
                    .orElse(Tokens.NONE);
        } catch (IOException | IllegalArgumentException | JacksonException e) {
            return Tokens.NONE;
        }
    }
}
