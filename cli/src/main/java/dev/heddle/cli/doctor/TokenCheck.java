package dev.heddle.cli.doctor;

import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.config.Config.StoreConfig;
import dev.heddle.cli.home.NodeStatus;
import dev.heddle.control.ControlException;
import dev.heddle.control.model.TokenView;
import dev.heddle.store.StoreException;

/** Looks for named tokens that do not expire, or that nobody uses. */
final class TokenCheck {

    private static final Duration UNUSED = Duration.ofDays(90);

    private TokenCheck() {}

    /** Asks the running node, or opens a local file. A database that no node here uses is not asked. */
    static Finding run(CliContext context) {
        boolean running = NodeStatus.of(context.options().home()) instanceof NodeStatus.Running;
        boolean file = context.options().nodeConfig().store() instanceof StoreConfig.Sqlite(var path)
                && Files.exists(path);
        if (!running && !file) {
            return Finding.ok("tokens", "not checked, because no node runs here");
        }
        try (Connector.Connection connection = new Connector(context).open(Intent.READ)) {
            return judge(connection.control().tokens(), context.clock().instant());
        } catch (ControlException | StoreException e) {
            return Finding.ok("tokens", "not checked: " + e.getMessage());
        }
    }

    static Finding judge(List<TokenView> tokens, Instant now) {
        List<TokenView> valid = tokens.stream().filter(token -> !token.expired()).toList();
        Optional<String> endless = names(valid.stream().filter(token -> token.expiresAt() == null).toList());
        Optional<String> unused = names(valid.stream()
                .filter(token -> Objects.requireNonNullElse(token.usedAt(), token.createdAt()).plus(UNUSED)
                        .isBefore(now))
                .toList());
        if (unused.isPresent()) {
            return Finding.wrong("tokens", unused.get() + " not used for " + UNUSED.toDays() + " days",
                    "revoke them with 'heddle token revoke'");
        }
        return endless.isPresent()
                ? Finding.wrong("tokens", endless.get() + " without an expiry",
                        "replace them with tokens from 'heddle token create --expires'")
                : Finding.ok("tokens", valid.isEmpty() ? "none but the node's own" : "all of them expire and are used");
    }

    private static Optional<String> names(List<TokenView> tokens) {
        return tokens.isEmpty() ? Optional.empty()
                : Optional.of(tokens.stream().map(TokenView::name).collect(Collectors.joining(", ")));
    }
}
