package dev.heddle.job;

import java.lang.reflect.ParameterizedType;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TypeRefTest {

    @Test
    void capturesAGenericType() {
        TypeRef<Map<String, List<Integer>>> ref = new TypeRef<>() {};

        assertThat(ref.type()).isInstanceOfSatisfying(ParameterizedType.class, type -> {
            assertThat(type.getRawType()).isEqualTo(Map.class);
            assertThat(type.getActualTypeArguments()[0]).isEqualTo(String.class);
        });
        assertThat(ref).hasToString("java.util.Map<java.lang.String, java.util.List<java.lang.Integer>>");
    }

    @Test
    void capturesAPlainType() {
        assertThat(new TypeRef<String>() {}.type()).isEqualTo(String.class);
    }

    @Test
    @SuppressWarnings({"rawtypes", "unchecked"})
    void refusesToBeRaw() {
        assertThatIllegalArgumentException().isThrownBy(() -> new TypeRef() {})
                .withMessage("a TypeRef needs its type argument: new TypeRef<List<String>>() {}");
    }
}
