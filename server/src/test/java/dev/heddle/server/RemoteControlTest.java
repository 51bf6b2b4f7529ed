package dev.heddle.server;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.heddle.control.Control;
import dev.heddle.control.ControlContract;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlJson;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.remote.RemoteControl;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import dev.heddle.store.Store;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Runs the contract against a server over a real connection. */
class RemoteControlTest extends ControlContract {

    private @Nullable HeddleServer server;

    @Override
    protected Store newStore() {
        return new MemoryStore();
    }

    @Override
    protected Control control(Pool pool) {
        server = HeddleServer.on(pool).port(0).start();
        return RemoteControl.at(server.uri(), server.token());
    }

    private Control remote() {
        HeddleServer running = Objects.requireNonNull(server);
        return RemoteControl.at(running.uri(), running.token());
    }

    @Test
    void showsTheAnswerToARequestThatTheNodeDoesNotRead() {
        JobDraft draft = JobDraft.of("idle", ControlJson.tree("\"" + "x".repeat(64 << 20) + "\""));

        assertThatThrownBy(() -> remote().submit(List.of(draft))).isInstanceOfSatisfying(ControlException.class,
                e -> assertThat(e.kind()).isEqualTo(ControlException.Kind.TOO_LARGE))
                .hasMessageStartingWith("the body exceeds the limit of ");
    }

    @Test
    void sendsALargeRequestThatTheNodeReads() {
        JsonNode payload = ControlJson.tree("\"" + "x".repeat(700 << 10) + "\"");
        List<JobDraft> drafts = Stream.generate(() -> JobDraft.of("idle", payload)).limit(12).toList();

        assertThat(remote().submit(drafts).jobs()).hasSize(12);
    }

    @Override
    protected void closeResources() {
        if (server != null) {
            server.close();
        }
    }
}
