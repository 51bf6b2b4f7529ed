package dev.heddle.control;

import java.time.Instant;

import dev.heddle.store.SessionStore.Binding;
import org.jspecify.annotations.Nullable;

/**
 * A client's session.
 *
 * @param session the client's key
 * @param type the job type whose workers have it
 * @param worker who has it; null where that worker was lost and no other has it yet
 * @param strict whether it is lost with its worker
 * @param usedAt when it was last used, to the minute
 */
public record SessionView(String session, String type, @Nullable String worker, String node, boolean strict,
        Instant boundAt, Instant usedAt) {

    static SessionView of(Binding binding) {
        return new SessionView(binding.session(), binding.type(), binding.worker(), binding.node(),
                binding.strict(),
                binding.boundAt(), binding.usedAt());
    }
}
