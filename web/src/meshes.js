// Triangles of the meshes of model files; contact has their hulls.
import * as THREE from 'three';
import {decode} from './data.js';

// Whether what is drawn of its link stands for this shape: meshes to be seen for all, meshes for contact for hulls.
export function isCovered(meshes, shape) {
  return (meshes?.parts ?? []).some(part => part.body === shape.body && (shape.body < 0 || part.link === shape.link)
    && (part.visual ? shape.body >= 0 : shape.kind === 'hull'));
}

export const isDrawn = (meshes, body, link) => (meshes?.parts ?? []).some(part => part.body === body && part.link === link);

// The largest distance of a corner from the origin of its link.
export function reachOfMeshes(meshes) {
  const far = (meshes?.meshes ?? []).map(placesOf).map(places => [0, 1, 2].map(k =>
    places.reduce((most, value, i) => (i % 3 === k ? Math.max(most, Math.abs(value)) : most), 0)));
  return (meshes?.parts ?? []).filter(part => part.body >= 0)
    .reduce((most, {mesh, scale, p}) => Math.max(most, Math.hypot(...p) + Math.hypot(...scale.map((value, k) => value * far[mesh][k]))), 0);
}

// Corners of a mesh, in the units of its file.
export function placesOf({low, cell, places}) {
  return Float32Array.from(decode(places, Uint16Array), (place, i) => low[i % 3] + cell * place);
}

function geometryOf(mesh) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(placesOf(mesh), 3));
  geometry.setIndex(new THREE.BufferAttribute(decode(mesh.corners, Uint16Array), 1));
  return geometry;
}

// Seen through, as shapes of links are, so that joints show whether they stick.
export function addMeshes(space) {
  const {motion} = space, {meshes = [], parts = []} = motion.meshes ?? {}, geometries = meshes.map(geometryOf);
  for (const part of parts) {
    const material = Object.assign(space.material(part.body < 0 ? 'ground' : 'body'), {flatShading: true, side: THREE.DoubleSide});
    if (part.body >= 0) Object.assign(material, {transparent: true, opacity: 0.8});
    const mesh = new THREE.Mesh(geometries[part.mesh], material), link = new THREE.Group();
    mesh.scale.set(...part.scale);
    space.place(mesh, part);
    link.add(mesh);
    space.world.add(link);
    if (part.body >= 0) space.parts.push((t, moment) => space.place(link, motion.pose(part.body, part.link, moment)));
  }
}
