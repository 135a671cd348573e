package dev.assay.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GroupingTest {
  @Test
  void groupsHaveTheirItemsInOrder() {
    Random random = new Random(7);
    for (int round = 0; round < 500; round++) {
      int groups = random.nextInt(6);
      int[] groupOf = new int[groups == 0 ? 0 : random.nextInt(20)];
      IntList group = new IntList();
      IntList items = new IntList();
      List<List<Integer>> expected = lists(groups);
      List<List<Integer>> expectedItems = lists(groups);
      for (int i = 0; i < groupOf.length; i++) {
        groupOf[i] = random.nextInt(groups + 1) - 1;
        if (groupOf[i] >= 0) {
          expected.get(groupOf[i]).add(i);
          group.add(groupOf[i]);
          items.add(random.nextInt());
          expectedItems.get(groupOf[i]).add(items.last());
        }
      }
      assertThat(lists(Grouping.of(groups, groupOf))).isEqualTo(expected);
      assertThat(lists(Grouping.of(groups, groupOf.length, i -> groupOf[i]))).isEqualTo(expected);
      Grouping ofItems = Grouping.of(groups, group, items);
      assertThat(lists(ofItems)).isEqualTo(expectedItems);
      assertThat(ofItems.size()).isEqualTo(group.size());
    }
  }

  private static List<List<Integer>> lists(int groups) {
    List<List<Integer>> lists = new ArrayList<>();
    for (int group = 0; group < groups; group++) {
      lists.add(new ArrayList<>());
    }
    return lists;
  }

  private static List<List<Integer>> lists(Grouping grouping) {
    List<List<Integer>> lists = lists(grouping.groups());
    for (int group = 0; group < grouping.groups(); group++) {
      for (int place = grouping.first(group); place < grouping.end(group); place++) {
        lists.get(group).add(grouping.item(place));
      }
      assertThat(grouping.items(group)).hasSize(grouping.size(group));
      assertThat(grouping.size(group)).isEqualTo(lists.get(group).size());
    }
    return lists;
  }
}
