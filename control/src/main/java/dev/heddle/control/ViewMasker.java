package dev.heddle.control;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.heddle.control.Redaction.Masker;
import dev.heddle.control.model.LogChunk;
import dev.heddle.control.model.OutputChunk;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Masks secrets in a view, whatever records it consists of: documents, headers, and texts that people and programs write.
 * A new view is covered as soon as it exists. Safe for use by many threads.
 */
public final class ViewMasker {

    /** Components that name things: a masked name would refer to nothing. */
    private static final Set<String> NAMES = Set.of("id", "job", "type", "queue", "node", "worker", "parent", "session",
            "cursor", "next", "name", "key", "group", "schedule", "place", "version", "kind");
    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return Shape.of(type);
        }
    };

    private final boolean none;
    private final Masker masker;

    /** Creates a masker for these rules. */
    public ViewMasker(Redaction redaction) {
        this.none = redaction.isNone();
        this.masker = redaction.masker();
    }

    /** Returns the view with secrets masked; the same object if it has none. */
    @SuppressWarnings("unchecked") // a record is masked as one of the same type
    public <T> T view(T view) {
        return none ? view : (T) Objects.requireNonNull(masked("", view));
    }

    /** A record type: how to read its components and make a new one. */
    private record Shape(List<RecordComponent> components, Constructor<?> constructor) {

        static Shape of(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            try {
                Constructor<?> constructor = type.getDeclaredConstructor(
                        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
                constructor.setAccessible(true);
                for (RecordComponent component : components) {
                    component.getAccessor().setAccessible(true);
                }
                return new Shape(List.of(components), constructor);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException("a record has a canonical constructor", e);
            }
        }
    }

    private @Nullable Object masked(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case JsonNode document -> masker.document(document);
            case String text -> NAMES.contains(name) ? text : masker.text(text);
            case OutputChunk chunk -> new OutputChunk(chunk.id(), chunk.attempt(), chunk.channel(), chunk.offset(),
                    masked(chunk.bytes(), chunk.data()), chunk.next(), chunk.last());
            case LogChunk chunk ->
                new LogChunk(chunk.worker(), chunk.offset(), masked(chunk.bytes(), chunk.data()), chunk.next());
            case List<?> list -> masked(name, list);
            case Map<?, ?> map -> masked(map);
            case Record parts -> masked(parts);
            default -> value;
        };
    }

    private List<?> masked(String name, List<?> list) {
        List<@Nullable Object> copy = new ArrayList<>(list.size());
        boolean changed = false;
        for (Object element : list) {
            Object shown = masked(name, element);
            changed |= !Objects.equals(shown, element);
            copy.add(shown);
        }
        return changed ? copy : list;
    }

    private Map<?, ?> masked(Map<?, ?> map) {
        Map<@Nullable Object, @Nullable Object> copy = new LinkedHashMap<>();
        boolean changed = false;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            Object shown = entry.getKey() instanceof String name && masker.isSecret(name) ? mask(entry.getValue())
                    : masked("", entry.getValue());
            changed |= !Objects.equals(shown, entry.getValue());
            copy.put(entry.getKey(), shown);
        }
        return changed ? copy : map;
    }

    private static @Nullable Object mask(@Nullable Object value) {
        return switch (value) {
            case String _ -> Redaction.MASK;
            case JsonNode _ -> JsonNodeFactory.instance.stringNode(Redaction.MASK);
            case null, default -> value;
        };
    }

    private Object masked(Record parts) {
        Shape shape = SHAPES.get(parts.getClass());
        @Nullable Object[] values = new @Nullable Object[shape.components().size()];
        boolean changed = false;
        try {
            for (int i = 0; i < values.length; i++) {
                RecordComponent component = shape.components().get(i);
                Object value = component.getAccessor().invoke(parts);
                values[i] = masked(component.getName(), value);
                changed |= !Objects.equals(values[i], value);
            }
            return changed ? shape.constructor().newInstance(values) : parts;
        } catch (InvocationTargetException | IllegalAccessException | InstantiationException e) {
            throw new IllegalStateException("cannot mask the values of " + parts.getClass().getSimpleName(), e);
        }
    }

    /** Masks a chunk of a text, if it is one. What a chunk begins or ends with may be half of a secret. */
    private String masked(byte[] bytes, String data) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        String shown = masker.text(text);
        return shown.equals(text) ? data : Base64.getEncoder().encodeToString(shown.getBytes(StandardCharsets.UTF_8));
    }
}
