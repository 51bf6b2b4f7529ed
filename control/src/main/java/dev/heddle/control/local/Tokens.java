package dev.heddle.control.local;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

import dev.heddle.access.AccessStore;
import dev.heddle.access.AccessToken;
import dev.heddle.access.Role;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.NewTokenView;
import dev.heddle.control.model.TokenDraft;
import dev.heddle.control.model.TokenView;
import dev.heddle.job.Limits;

/** Lists, creates and revokes tokens. */
record Tokens(Backend backend, String actor) {

    /** Every request with a token compares it with all of them. */
    private static final int MAX_TOKENS = 1_000;
    private static final int SECRET_BYTES = 32;

    List<TokenView> list() {
        return store().tokens().stream().map(this::view).toList();
    }

    NewTokenView create(TokenDraft draft) {
        String name = InputChecks.name("name", draft.name());
        Role role = InputChecks.checked(() -> Role.parse(InputChecks.present("role", draft.role())));
        Duration lifetime = draft.expiresIn();
        Instant now = backend.now();
        Instant expiresAt = lifetime == null ? null
                : now.plus(InputChecks.checked(() -> Limits.positive("expiresIn", lifetime)));
        if (store().tokens().size() >= MAX_TOKENS) {
            throw new ControlException(Kind.FULL, "there are " + MAX_TOKENS
                    + " tokens; revoke those that nobody uses, which 'heddle token list' shows");
        }
        String secret = newSecret();
        AccessToken token = AccessToken.of(name, role, secret, actor, now, expiresAt);
        if (!store().addToken(token)) {
            throw new ControlException(Kind.CONFLICT, "there is a token '" + Limits.quoted(name)
                    + "' already; revoke it first with 'heddle token revoke', or choose another name");
        }
        return new NewTokenView(view(token), secret);
    }

    TokenView revoke(String name) {
        String known = InputChecks.name("name", name);
        AccessToken token = store().tokens().stream().filter(each -> each.name().equals(known)).findFirst()
                .orElseThrow(() -> unknown(known));
        if (!store().removeToken(known)) {
            throw unknown(known);
        }
        return view(token);
    }

    private static ControlException unknown(String name) {
        return ControlException
                .notFound("there is no token '" + Limits.quoted(name) + "'; 'heddle token list' shows all");
    }

    private static String newSecret() {
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return AccessToken.PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private TokenView view(AccessToken token) {
        return new TokenView(token.name(), token.role(), token.hint(), token.createdBy(), token.createdAt(),
                token.expiresAt(), token.isExpired(backend.now()), token.usedAt());
    }

    private AccessStore store() {
        return backend.jobs().capability(AccessStore.class)
                .orElseThrow(() -> new ControlException(Kind.CONFLICT, "this store does not support tokens"));
    }
}
